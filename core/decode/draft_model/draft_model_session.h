#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/decode/draft_model/draft_input.h"
#include "core/decode/sample/generation.h"
#include "core/decode/sample/sampling.h"

namespace at {
class Tensor;
}

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

/// The distribution over the target's vocabulary with the settings of its decode; output layers may
/// be padded differently. logits: [vocab], any device.
Distribution distribution_of(const at::Tensor& logits, const DraftModelInput& input);

/// Makes the session of a loaded draft model in one job, with a cache for each variant.
using MakeDraftModelSession = std::function<std::unique_ptr<DraftModelSession>(
    const DraftModelInput& draft_input, std::vector<DraftInput> inputs)>;

/// Sessions of `model`, which must outlive them. The prompt is read at the first call of `read`;
/// all variants form one batch. `read` throws what the model throws.
MakeDraftModelSession draft_model_sessions(const Vlm& model);

/// Throws Error(dependency) if the ids of the two models stand for different texts. `folder`: the
/// draft model's, for the message.
void require_same_tokenizer(const Vlm& target, const Vlm& drafter, const std::string& folder);

}  // namespace docspec
