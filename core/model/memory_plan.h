#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace docspec {

/// Bytes that an encode needs at its peak, besides the weights: fixed + patches x per_patch.
struct VisionBytes {
  int64_t fixed = 0, per_patch = 0;
};

/// Bytes that a language model needs besides the weights: per cached token, per cache whatever its
/// tokens, and for a pass working rows x (per_row + cached tokens x per_row_and_token).
struct TrunkBytes {
  int64_t per_token = 0, per_row = 0, per_row_and_token = 0;
  /// Caches take one block of kAttentionBlock tokens after the other; else they grow by a quarter.
  bool paged = false;
  int64_t per_cache = 0;
};

/// Memory that a model needs, known from its config.json and tensor headers before it is read.
struct MemoryNeeds {
  int64_t weights = 0;  ///< bytes, in the dtype that it computes in
  VisionBytes vision;
  TrunkBytes trunk;
  int64_t patch = 14, merge = 2;  ///< of the image processor, as are its limits:
  int64_t min_pixels = 0, max_pixels = 0;
  /// Images are encoded in parallel with passes (Ops::asynchronous), in memory of their own.
  bool vision_in_parallel = false;
  int64_t page_tokens = 0;  ///< visual rows of a page in a prompt of several; 0 = there is none
};

/// The memory request of a run.
struct MemoryRequest {
  int64_t ceiling = 0;     ///< bytes
  int64_t base = 0;        ///< bytes that the process has before the model
  size_t jobs = 1;         ///< most jobs alive at once
  int64_t new_tokens = 0;  ///< most tokens of one job's answer
  int64_t rows = 0;        ///< most rows of a pass, prefill's too
  int64_t pages = 1;       ///< most pages of one prompt
};

/// Bytes at the worst moment of a run: caches full to the last token, the largest image.
struct MemoryPlan {
  int64_t ceiling = 0, base = 0, weights = 0, cache = 0, vision = 0, pass = 0;  ///< cache: of a job
  size_t jobs = 1;
  bool vision_in_parallel = false;  ///< vision and pass are both held, not one or the other
  int64_t max_pixels = 0;           ///< images are shrunk to this
  std::vector<std::string> steps;   ///< what was given up to fit, a sentence each

  int64_t total() const;
  /// "base 0.3 + weights 5.7 + caches 4 x 0.2 + the larger of vision 0.6 and pass 0.4 = 7.4 GiB",
  /// or "... + vision 0.6 + pass 0.4 = 7.8 GiB" if images are encoded in parallel with passes.
  std::string text() const;
};

/// The largest plan that fits: all jobs and pixels, else fewer jobs, else one job with smaller
/// images (not below 512 x 512 pixels). Vision needs no step of its own: it goes through its widest
/// layers in tiles whatever the ceiling, so that its bits do not depend on the plan. Throws
/// Error(out_of_memory) that gives the smallest plan when that does not fit either.
MemoryPlan plan_memory(const MemoryNeeds& needs, const MemoryRequest& request);

}  // namespace docspec
