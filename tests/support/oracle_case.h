#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/model/checkpoint/checkpoint.h"
#include "core/model/vlm.h"
#include "core/page/page_image.h"

namespace docspec {
class DraftTree;
}

namespace docspec::test {

/// One folder that tests/oracle/make_checkpoint wrote: model/ and what transformers makes of it.
class OracleCase {
 public:
  explicit OracleCase(const std::filesystem::path& folder);

  std::filesystem::path model() const { return folder_ / "model"; }
  const std::string& question() const { return question_; }
  int pages() const { return pages_; }
  PageImage page(int page) const;
  /// A stage of a page as transformers has it: "pixel_values", "vision", "logits", ...
  at::Tensor stage(int page, const std::string& name) const;
  std::vector<int32_t> ids(int page, const std::string& name) const;
  /// The same of the prompt that holds the first two pages; its stages begin with "vision".
  static constexpr int kBothPages = -1;
  bool has_both_pages() const;
  /// Root mean square of what a stage of page 0 in transformers' own bf16 differs by from its f32.
  double bf16_distance(const std::string& stage) const;
  int64_t logit_stride() const { return logit_stride_; }
  int64_t pixel_stride() const { return pixel_stride_; }  ///< of stored rows of pixel_values

 private:
  std::filesystem::path png_of(int page) const;

  std::filesystem::path folder_;
  Checkpoint expected_;
  std::string question_;
  int pages_ = 0;
  int64_t logit_stride_ = 1, pixel_stride_ = 1;
};

/// How far docspec is from transformers on one page: largest absolute differences a stage.
struct Parity {
  bool prompt_ids = false;
  double pixel_values = 0, vision = 0, logits = 0;
  double vision_rms = 0, logits_rms = 0;  ///< root mean squares of the differences
  int64_t greedy_equal = 0;               ///< leading greedy ids that are equal, of 64
  double divergence_margin = 0;  ///< top-2 margin of the first differing id, 0 when none differs
};
Parity compare(const Vlm& vlm, const OracleCase& oracle, int page);
/// The same for the prompt that holds the first two pages, asked the question "pages".
Parity compare_both_pages(const Vlm& vlm, const OracleCase& oracle);

/// Row 0 is tokens[0], each next one a child of the one before.
DraftTree chain(std::span<const int32_t> tokens);
/// Forward of one token, committed. Returns [1, vocab] f32.
at::Tensor step(const LanguageModel& lm, KvCache& cache, int32_t token);

}  // namespace docspec::test
