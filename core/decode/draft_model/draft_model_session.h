#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/decode/sample/generation.h"
#include "core/decode/sample/sampling.h"

namespace docspec {

class PageImage;
class Vlm;

/// A draft model in one job: the distributions of the next token for each of its input variants
/// ([tabed]).
class DraftModelSession {
 public:
  virtual ~DraftModelSession() = default;
  virtual size_t variants() const = 0;
  /// One pass. result[k][m] is the distribution that variant m gives the token behind `output` and
  /// the first `from + k` of `ahead`, up to all of `ahead`. `output` begins with that of the last
  /// call. What the model has read of earlier calls it does not read again; what went another way
  /// is rolled back.
  virtual std::vector<std::vector<Distribution>> read(std::span<const int32_t> output,
                                                      std::span<const int32_t> ahead,
                                                      size_t from) = 0;
};

/// What one row of a draft model's prompt shows instead of, or with, the image.
enum class DraftInput {
  image,
  text,    ///< line breaks in the image's place, token for token
  pooled,  ///< the image's rows, 2 x 2 averaged
  draft,   ///< "image: " and what is known of the text in the image's place
};

/// Reads "image+text+pooled+draft". Throws Error(usage) naming `axis`.
std::vector<DraftInput> parse_inputs(std::string_view axis, std::string_view text);

/// What a job shows a draft model, and what it asks of its distributions; references outlive the
/// job's decode.
struct DraftModelInput {
  const PageImage* image = nullptr;
  /// Factor that brings the image's letters to an em of so many pixels.
  std::function<double(double text_px)> scale = {};
  std::string_view stage;           ///< whose question is asked: "page", "text", "table", ...
  std::string text;                 ///< what is known of the answer
  std::span<const int32_t> prompt;  ///< of the target: penalties count its ids
  const Generation* generation = nullptr;
  int64_t vocab_size = 0;  ///< of the target: the distributions have as many entries
  uint32_t stream = 0;     ///< Job::stream
  bool draws = false;      ///< whether the rule of verification reads drafts' distributions
};

/// A loaded draft model in one job, with a cache for each variant; the prompt is read at the first
/// call of `read`, and all variants are one batch. `read` throws what the model throws.
std::unique_ptr<DraftModelSession> make_draft_model_session(const Vlm& model,
                                                            const DraftModelInput& draft_input,
                                                            std::vector<DraftInput> inputs);

/// Throws Error(dependency) where ids of the two mean different texts. `folder` is the drafter's.
void require_same_tokenizer(const Vlm& target, const Vlm& drafter, const std::string& folder);

}  // namespace docspec
