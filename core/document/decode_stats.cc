#include "core/document/decode_stats.h"

#include <nlohmann/json.hpp>

namespace docspec {
namespace {

double ratio(int64_t part, int64_t whole) {
  return whole ? double(part) / double(whole) : 0;
}

}  // namespace

DecodeStats& DecodeStats::operator+=(const DecodeStats& other) {
  decodes += other.decodes;
  prompt_tokens += other.prompt_tokens;
  output_tokens += other.output_tokens;
  forwards += other.forwards;
  passes += other.passes;
  tree_passes += other.tree_passes;
  empty_passes += other.empty_passes;
  declined_passes += other.declined_passes;
  rows += other.rows;
  accepted += other.accepted;
  emitted += other.emitted;
  pruned_passes += other.pruned_passes;
  guarded_passes += other.guarded_passes;
  visual_keys += other.visual_keys;
  all_visual_keys += other.all_visual_keys;
  attention_flops += other.attention_flops;
  full_attention_flops += other.full_attention_flops;
  for (const auto& [length, passes] : other.run_lengths) run_lengths[length] += passes;
  for (const auto& [source, count] : other.by_source) {
    by_source[source].proposed += count.proposed;
    by_source[source].accepted += count.accepted;
  }
  for (const auto& [phase, ms] : other.phase_ms) phase_ms[phase] += ms;
  return *this;
}

double DecodeStats::aal_all() const {
  return ratio(accepted, passes);
}
double DecodeStats::aal_tree() const {
  return ratio(accepted, tree_passes);
}
double DecodeStats::tokens_per_pass() const {
  return ratio(emitted, passes);
}

double DecodeStats::ms(const std::string& phase) const {
  const auto it = phase_ms.find(phase);
  return it == phase_ms.end() ? 0 : it->second;
}

nlohmann::json to_json(const DecodeStats& stats) {
  nlohmann::json sources = nlohmann::json::object();
  for (const auto& [source, count] : stats.by_source)
    sources[source] = {{"proposed", count.proposed}, {"accepted", count.accepted}};
  nlohmann::json runs = nlohmann::json::array();
  for (const auto& [length, passes] : stats.run_lengths) runs.push_back({length, passes});
  return {{"decodes", stats.decodes},
          {"prompt_tokens", stats.prompt_tokens},
          {"output_tokens", stats.output_tokens},
          {"forwards", stats.forwards},
          {"passes", stats.passes},
          {"tree_passes", stats.tree_passes},
          {"empty_passes", stats.empty_passes},
          {"declined_passes", stats.declined_passes},
          {"run_lengths", std::move(runs)},
          {"rows", stats.rows},
          {"accepted", stats.accepted},
          {"emitted", stats.emitted},
          {"pruned_passes", stats.pruned_passes},
          {"guarded_passes", stats.guarded_passes},
          {"visual_keys", stats.visual_keys},
          {"all_visual_keys", stats.all_visual_keys},
          {"attention_flops", stats.attention_flops},
          {"full_attention_flops", stats.full_attention_flops},
          {"aal_all", stats.aal_all()},
          {"aal_tree", stats.aal_tree()},
          {"tokens_per_pass", stats.tokens_per_pass()},
          {"by_source", std::move(sources)},
          {"phase_ms", stats.phase_ms}};
}

nlohmann::json to_json(const ReadingStats& stats) {
  return {{"exactness", stats.exactness},
          {"dtype", stats.dtype},
          {"page", to_json(stats.page)},
          {"region", to_json(stats.region)}};
}

}  // namespace docspec
