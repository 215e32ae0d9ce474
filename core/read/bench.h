#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/document/decode_stats.h"

namespace docspec {

/// The first place where two decodes of a page differ.
struct FirstDifference {
  int64_t position = 0;
  int32_t baseline_id = -1, run_id = -1;  ///< -1 = that output had ended
  /// Margin (log p) of the baseline's choice there over its runner-up; if it is as small as
  /// rounding, the difference is a tie. 0 if the baseline had ended at its limit.
  double margin = 0;
};

/// One page decoded twice by the same binary: plain autoregressive, timed unpadded, and as
/// configured.
struct BenchPage {
  std::string input;
  int page = 0;
  std::vector<int32_t> baseline_ids, run_ids;  ///< of the page stage
  std::vector<float> baseline_margins;         ///< Job::margins
  std::string markdown;                        ///< of the page
  DecodeStats baseline;                        ///< of the page stage
  DecodeStats run, region;                     ///< of the page stage; of the region stage
  double draft_ms = 0;                         ///< time of the drafters
  double region_ms = 0;                        ///< the whole region stage, its prefill included
  double raster_ms = 0;                        ///< part of both end-to-end times

  /// Time after prefill. That of the run includes drafting and the whole region stage, which exists
  /// for the sake of speculation ([hsd-doc] 4.1).
  double baseline_decode_ms() const;
  double run_decode_ms() const;
  double baseline_e2e_ms() const;
  double run_e2e_ms() const;
  std::optional<FirstDifference> first_difference() const;
};

/// Whether an output loops: its last 64 or more ids repeat one group of at most 32 ids at least
/// four times. Such a page looks fast, so it is left out of the totals.
bool loops(std::span<const int32_t> ids);

/// The `docspec-bench/1` document. `meta` holds "model", "device" and "options" as they are to
/// appear. Pages whose baseline loops stay in "pages" ("excluded":"loop") and out of "total".
nlohmann::json bench_json(const nlohmann::json& meta, std::span<const BenchPage> pages);

/// The inputs with a true text in `folder` (STEM.md or STEM.txt; empty: none), with the edit
/// distance of their Markdown from it: [{"input","edit_distance"}], 0 = equal, 1 = nothing in
/// common.
nlohmann::json bench_texts(std::span<const BenchPage> pages, const std::filesystem::path& folder);

/// The same as text for a terminal: a line per page, the totals, and a line for each of `texts`
/// (bench_texts).
std::string bench_table(std::span<const BenchPage> pages, const nlohmann::json& texts);

}  // namespace docspec
