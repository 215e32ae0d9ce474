#include "core/decode/draft_model/mtp_session.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <stdexcept>

#include "core/model/kv_cache.h"
#include "core/model/mtp_layer.h"
#include "core/model/vlm.h"

namespace docspec {
namespace {

using Ids = std::vector<int32_t>;

class MtpSession : public DraftModelSession {
 public:
  MtpSession(const MtpLayer& layer, LayeredKvCache& target, Ids prompt, RopePositions positions,
             at::Tensor image, const DraftModelInput& input)
      : layer_(layer),
        target_(target),
        positions_(std::move(positions)),
        input_(input),
        prompt_(prompt.size()),
        text_(std::move(prompt)),
        image_(std::move(image)),
        cache_(layer.new_cache()) {}

  size_t variants() const override { return 1; }

  std::vector<std::vector<Distribution>> read(std::span<const int32_t> output,
                                              std::span<const int32_t> ahead,
                                              size_t from) override {
    follow(output);
    const auto differ = std::mismatch(chain_.begin(), chain_.end(), ahead.begin(), ahead.end());
    drop_chain(size_t(differ.first - chain_.begin()));
    while (chain_.size() < ahead.size()) {
      const int32_t next = ahead[chain_.size()];
      const int64_t row = known_ + int64_t(chain_.size());
      rows_.push_back(
          layer_.read(*cache_, layer_.embed({&next, 1}), rows_.back(), true, positions(row, 1)));
      chain_.push_back(next);
    }
    std::vector<std::vector<Distribution>> out;
    for (size_t k = from; k <= ahead.size(); ++k)
      out.push_back({distribution_of(layer_.logits(rows_[k])[0], input_)});
    return out;
  }

 private:
  /// Reads the rows that the target has committed since the last call.
  void follow(std::span<const int32_t> output) {
    const at::Tensor hidden = target_.take_hidden();
    text_.resize(prompt_);
    text_.insert(text_.end(), output.begin(), output.end());
    if (hidden.defined()) {
      drop_chain(0);
      const int64_t n = hidden.size(0);
      if (known_ + n + 1 != int64_t(text_.size()))
        throw std::logic_error("the target's rows and the output are out of step");
      const at::Tensor rows =
          layer_.read(*cache_, next_of(known_, n), hidden, false, positions(known_, n));
      rows_ = {rows.narrow(0, n - 1, 1)};
      known_ += n;
    }
    if (rows_.empty()) throw std::logic_error("the target keeps no rows");
  }

  /// Of the tokens after rows [first, first + n) of the text. The prompt is read at once.
  at::Tensor next_of(int64_t first, int64_t n) {
    at::Tensor next = layer_.embed(std::span(text_).subspan(size_t(first) + 1, size_t(n)));
    if (layer_.sees_image() && image_.defined())
      next.narrow(0, target_.visual_begin - 1, image_.size(0))
          .copy_(image_.narrow(1, 0, next.size(1)));
    image_.reset();
    return next;
  }

  /// Forgets all drafted rows but the first `kept`.
  void drop_chain(size_t kept) {
    cache_->drop(int64_t(chain_.size() - kept));
    chain_.resize(kept);
    if (!rows_.empty()) rows_.resize(kept + 1);
  }

  /// Rotary positions of rows [first, first + n) of the text, axis-major.
  std::vector<int64_t> positions(int64_t first, int64_t n) const {
    const auto prompt = int64_t(prompt_), axes = int64_t(positions_.axes.size()) / prompt;
    std::vector<int64_t> out;
    for (int64_t axis = 0; axis < axes; ++axis)
      for (int64_t row = first; row < first + n; ++row)
        out.push_back(row < prompt ? positions_.axes[size_t(axis * prompt + row)]
                                   : row + positions_.delta);
    return out;
  }

  const MtpLayer& layer_;
  LayeredKvCache& target_;
  const RopePositions positions_;  ///< of the prompt
  const DraftModelInput input_;
  const size_t prompt_;
  Ids text_;          ///< prompt and output
  at::Tensor image_;  ///< until the prompt is read
  std::unique_ptr<LayeredKvCache> cache_;
  int64_t known_ = 0;             ///< rows of the text that the cache holds
  Ids chain_;                     ///< drafted tokens whose rows follow them
  std::vector<at::Tensor> rows_;  ///< [1, d_model]: of the last known row, then of the chain's
};

}  // namespace

std::unique_ptr<DraftModelSession> make_mtp_session(const MtpLayer& layer, LayeredKvCache& cache,
                                                    Ids prompt, RopePositions positions,
                                                    at::Tensor image,
                                                    const DraftModelInput& input) {
  return std::make_unique<MtpSession>(layer, cache, std::move(prompt), std::move(positions),
                                      std::move(image), input);
}

}  // namespace docspec
