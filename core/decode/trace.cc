#include "core/decode/trace.h"

#include <nlohmann/json.hpp>

namespace docspec {
namespace {

using nlohmann::json;

json label(const Job& job) {
  json out = {{"page", job.label().page}, {"stage", job.label().stage}, {"region", nullptr}};
  if (job.label().region) out["region"] = *job.label().region;
  return out;
}

const char* name(JobEnd end) {
  switch (end) {
    case JobEnd::stop:
      return "stop";
    case JobEnd::length:
      return "length";
    case JobEnd::dropped:
      return "dropped";
    case JobEnd::running:
      break;
  }
  return "running";
}

}  // namespace

json trace_record(const Job& job) {
  json out = label(job);
  out["prompt_ids"] = job.prompt_ids();
  out["output_ids"] = job.output();
  out["end"] = name(job.end());
  json& steps = out["steps"] = json::array();
  for (const TraceStep& step : job.steps()) {
    json source = nullptr;
    if (step.source >= 0) source = job.source(step.source);
    steps.push_back({{"rows", step.rows}, {"accepted", step.accepted}, {"source", source}});
  }
  return out;
}

json explain_record(const Job& job, const std::function<std::string(int32_t)>& text) {
  json out = label(job);
  json& refused = out["refused"] = json::array();
  for (const Refusal& refusal : job.refusals()) {
    json line = {{"position", refusal.position},  {"source", job.source(refusal.source)},
                 {"proposed", refusal.proposed},  {"model", refusal.model},
                 {"margin", refusal.margin},      {"logprob", refusal.logprob},
                 {"lost_rows", refusal.lost_rows}};
    if (text) {
      line["proposed_text"] = text(refusal.proposed);
      line["model_text"] = text(refusal.model);
    }
    refused.push_back(std::move(line));
  }
  return out;
}

}  // namespace docspec
