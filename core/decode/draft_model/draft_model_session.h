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
  /// Runs one pass. result[k][m] is the distribution that variant m gives the token after `output`
  /// and the first `from + k` tokens of `ahead`; the last k stands for all of `ahead`. `output`
  /// must begin with the output of the last call. Tokens of earlier calls are not read again; those
  /// that the output has contradicted are rolled back.
  virtual std::vector<std::vector<Distribution>> read(std::span<const int32_t> output,
                                                      std::span<const int32_t> ahead,
                                                      size_t from) = 0;
};

/// A way to show the page to a draft model.
enum class DraftInput {
  image,
  text,    ///< a line break in place of each of the image's tokens
  pooled,  ///< the image's rows, 2 x 2 averaged
  draft,   ///< "image: " and the draft text in place of the image
};

/// Reads "image+text+pooled+draft". Throws Error(usage) naming `axis`.
std::vector<DraftInput> parse_inputs(std::string_view axis, std::string_view text);

/// The input of a draft model in one job, and the settings of its distributions. References must
/// outlive the decode of the job.
struct DraftModelInput {
  const PageImage* image = nullptr;
  /// Factor that scales the image so that its em has this many pixels.
  std::function<double(double text_px)> scale = {};
  std::string_view stage;           ///< its question is asked: "page", "text", "table", ...
  std::string text;                 ///< the draft text
  std::span<const int32_t> prompt;  ///< of the target: the penalties count its ids
  const Generation* generation = nullptr;
  int64_t vocab_size = 0;  ///< of the target: the distributions have as many entries
  uint32_t stream = 0;     ///< Job::stream
  bool draws = false;      ///< sample the drafts, because the verifier reads their distributions
};

/// A session of a loaded draft model, with a cache for each variant. The prompt is read at the
/// first call of `read`; all variants form one batch. `read` throws what the model throws.
std::unique_ptr<DraftModelSession> make_draft_model_session(const Vlm& model,
                                                            const DraftModelInput& draft_input,
                                                            std::vector<DraftInput> inputs);

/// Throws Error(dependency) if the ids of the two models stand for different texts. `folder`: the
/// draft model's, for the message.
void require_same_tokenizer(const Vlm& target, const Vlm& drafter, const std::string& folder);

}  // namespace docspec
