#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace docspec {

struct VisualAttentionStats;

/// What one source proposed and what of it was accepted, in tokens.
struct SourceCount {
  int64_t proposed = 0;
  int64_t accepted = 0;
};

/// Additive counts and milliseconds of any number of decodes: jobs and stages sum to pages. A pass
/// here is one job's share of a forward; `forwards` counts the forwards themselves, so that both
/// are equal when jobs are decoded one at a time.
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
  int64_t pruned_passes = 0;   ///< passes that did not see all visual rows in all layers
  int64_t guarded_passes = 0;  ///< of them those run again with full attention
  int64_t visual_keys = 0;     ///< visual rows that passes with a fixation saw, by layer and row
  int64_t all_visual_keys = 0;  ///< those they would have seen without
  double attention_flops = 0,
         full_attention_flops = 0;         ///< of such passes (core/ops/flops.h), likewise
  std::map<int64_t, int64_t> run_lengths;  ///< accepted tokens of a pass -> passes
  std::map<std::string, SourceCount> by_source;
  std::map<std::string, double> phase_ms;  ///< "vision", "prefill", "propose", "forward", ...

  DecodeStats& operator+=(const DecodeStats& other);
  /// Adds what a pass with a fixation saw.
  void count(const VisualAttentionStats& visual_stats);

  /// Mean accepted length over all passes, the bonus token not counted; 0 without a pass.
  double aal_all() const;
  /// The same over passes that had a tree.
  double aal_tree() const;
  double tokens_per_pass() const;
  double ms(const std::string& phase) const;
  /// Before the first token: "vision" and "prefill".
  double prefill_ms() const { return ms("vision") + ms("prefill"); }
};

nlohmann::json to_json(const DecodeStats& stats);

/// Adds the time from its construction to its end to one phase.
class PhaseTimer {
 public:
  PhaseTimer(DecodeStats& stats, std::string phase);
  ~PhaseTimer();
  PhaseTimer(const PhaseTimer&) = delete;
  PhaseTimer& operator=(const PhaseTimer&) = delete;

 private:
  DecodeStats& stats_;
  std::string phase_;
  int64_t start_ns_;
};

}  // namespace docspec
