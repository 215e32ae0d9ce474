#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/base/stopwatch.h"

namespace docspec {

/// Tokens that one source proposed, and how many of them were accepted.
struct SourceCount {
  int64_t proposed = 0;
  int64_t accepted = 0;
};

/// Counts and milliseconds of any number of decodes. They can be added: jobs and stages sum to
/// pages. A pass is one job's part of a forward. `forwards` counts the forwards themselves, so the
/// two are equal when jobs are decoded one at a time.
struct DecodeStats {
  int64_t decodes = 0;
  int64_t prompt_tokens = 0;
  int64_t output_tokens = 0;  ///< without the stop token
  int64_t forwards = 0;
  int64_t passes = 0;
  int64_t tree_passes = 0;      ///< passes with at least one proposed token
  int64_t empty_passes = 0;     ///< passes that accepted no proposed token
  int64_t declined_passes = 0;  ///< passes in which no proposed token was worth a row
  int64_t rows = 0;             ///< pending and proposed tokens of all passes
  int64_t accepted = 0;         ///< proposed tokens that became output (or the stop)
  int64_t emitted = 0;         ///< accepted and bonus tokens of the passes, the stop token included
  int64_t pruned_passes = 0;   ///< passes in which some layer saw only some visual rows
  int64_t guarded_passes = 0;  ///< pruned passes that were run again with full attention
  int64_t visual_keys = 0;     ///< visual rows seen by passes with a fixation, per layer and row
  int64_t all_visual_keys = 0;  ///< visual rows that these passes would have seen without it
  double attention_flops = 0,
         full_attention_flops = 0;         ///< of such passes (core/ops/flops.h), likewise
  std::map<int64_t, int64_t> run_lengths;  ///< accepted tokens of a pass -> passes
  std::map<std::string, SourceCount> by_source;
  std::map<std::string, double> phase_ms;  ///< "vision", "prefill", "propose", "forward", ...

  DecodeStats& operator+=(const DecodeStats& other);

  /// Mean accepted length over all passes, the bonus token not counted; 0 without a pass.
  double aal_all() const;
  /// The same over passes that had a tree.
  double aal_tree() const;
  double tokens_per_pass() const;
  double ms(const std::string& phase) const;
  /// Before the first token: "vision" and "prefill".
  double prefill_ms() const { return ms("vision") + ms("prefill"); }
};

/// The statistics of a document that a model has read.
struct ReadingStats {
  std::string exactness;     ///< of the output against the plain decode: "exact", "lossless", ...
  std::string dtype;         ///< number format of the model
  DecodeStats page, region;  ///< of the page stage, of the region stage
};

nlohmann::json to_json(const DecodeStats& stats);
nlohmann::json to_json(const ReadingStats& stats);

/// Adds the time of its life to one phase.
class PhaseTimer : public ScopedTimer {
 public:
  PhaseTimer(DecodeStats& stats, const std::string& phase) : ScopedTimer(stats.phase_ms[phase]) {}
};

}  // namespace docspec
