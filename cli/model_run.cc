#include "cli/model_run.h"

namespace docspec {

bool wants_model(const Options& options) {
  return !options.model.empty() && options.model != "none";
}

bool wants_bench(const Options& options) {
  return options.bench || !options.bench_out.empty() || !options.bench_truth.empty();
}

bool wants_reports(const Options& options) {
  return wants_bench(options) || !options.trace.empty() || !options.explain.empty();
}

size_t pages_at_once(const Options& options) {
  constexpr size_t kPages = 4;  // share/doc/decisions/0019
  if (wants_reports(options)) return 1;
  return options.batch == "auto" ? kPages : std::stoul(options.batch);
}

}  // namespace docspec
