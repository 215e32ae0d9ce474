#include "core/decode/draft_model/draft_model_session.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/base/error.h"
#include "core/model/draft_tree.h"
#include "core/model/image/scaled_image.h"
#include "core/model/prompt_set.h"
#include "core/model/vlm.h"
#include "core/text/tokenizer.h"

namespace docspec {
namespace {

using Ids = std::vector<int32_t>;

/// The prompt with the image's placeholder, one or many, replaced by `text`.
Ids with_text(Ids prompt, int32_t image_token, const Ids& text) {
  const auto first = std::find(prompt.begin(), prompt.end(), image_token);
  const auto last =
      std::find_if(first, prompt.end(), [&](int32_t id) { return id != image_token; });
  prompt.insert(prompt.erase(first, last), text.begin(), text.end());
  return prompt;
}

class VlmDraftSource : public DraftModelSession {
 public:
  VlmDraftSource(const Vlm& model, const DraftModelInput& draft_input,
                 std::vector<DraftInput> inputs)
      : model_(model),
        scene_(draft_input),
        inputs_(std::move(inputs)),
        processor_(draft_input.generation->processor) {}

  size_t variants() const override { return inputs_.size(); }

  std::vector<std::vector<Distribution>> read(std::span<const int32_t> output,
                                              std::span<const int32_t> ahead,
                                              size_t from) override {
    if (caches_.empty()) prefill();
    Ids wanted(output.begin(), output.end());
    wanted.insert(wanted.end(), ahead.begin(), ahead.end());
    const auto known = int32_t(model_.language_model().vocab_size());
    std::replace_if(
        wanted.begin(), wanted.end(), [&](int32_t id) { return id >= known; },
        line_break_);  // a token that only the larger model has
    processor_.commit(std::span(wanted).subspan(processed_, output.size() - processed_));
    processed_ = output.size();
    const size_t first = output.size() - 1 + from;  // the first row that is asked for
    const size_t kept = roll_back(wanted, first);
    DraftTree chain(wanted[kept]);
    const auto rows = chain.insert(std::span(wanted).subspan(kept + 1), 0, 1, wanted.size());
    std::vector<SequenceInput> jobs;
    for (const auto& cache : caches_) jobs.push_back({&chain, cache.get(), nullptr});
    at::Tensor logits = model_.language_model().forward(jobs, {}).to(at::kCPU);
    std::vector<int32_t> all = {0};
    all.insert(all.end(), rows.begin(), rows.end());
    for (const auto& cache : caches_) cache->commit(all);
    cached_ = wanted;
    logits = logits.view({int64_t(caches_.size()), int64_t(chain.rows()), -1})
                 .narrow(1, int64_t(first - kept), int64_t(wanted.size() - first));
    const auto drafted = std::span(wanted).subspan(output.size());
    return distributions(logits, wanted[output.size() - 1], drafted, from);
  }

 private:
  static constexpr size_t kTextTokens = 1024;  ///< of DraftInput::draft

  void prefill() {
    const PromptSet& prompts = model_.prompts();
    const std::string& question = prompts.question(scene_.stage);
    const VisualRows seen = model_.encode_image(
        scaled(*scene_.image, scene_.scale ? scene_.scale(prompts.text_px()) : 1));
    const Ids whole = model_.prompt_ids(seen.rows.size(0), question);
    std::vector<std::unique_ptr<LayeredKvCache>> caches;
    for (const DraftInput input : inputs_) {
      VisualRows rows = seen;
      Ids prompt = whole;
      if (input == DraftInput::pooled) {
        rows = pooled(seen);
        prompt = model_.prompt_ids(rows.rows.size(0), question);
      } else if (input != DraftInput::image) {
        Ids text(size_t(seen.rows.size(0)), line_break_);
        if (input == DraftInput::draft) text = model_.tokenizer().encode("image: ", false);
        if (input == DraftInput::draft) append_text(text);
        prompt = with_text(std::move(prompt), model_.image_token(), text);
      }
      const bool sees = input == DraftInput::image || input == DraftInput::pooled;
      caches.push_back(std::move(model_.prefill_encoded(sees ? &rows : nullptr, prompt).cache));
    }
    caches_ = std::move(caches);
    processor_.commit(scene_.prompt);
  }

  /// Text from a document must not turn into special tokens.
  void append_text(Ids& to) const {
    Ids known = model_.tokenizer().encode(scene_.text, false);
    known.resize(std::min(known.size(), kTextTokens));
    to.insert(to.end(), known.begin(), known.end());
  }

  /// Rolls the caches back to the common prefix of their text and `wanted`, and to at most `most`
  /// rows. Returns how much of `wanted` they hold.
  size_t roll_back(const Ids& wanted, size_t most) {
    most = std::min({most, cached_.size(), wanted.size()});
    const auto differ =
        std::mismatch(cached_.begin(), cached_.begin() + std::ptrdiff_t(most), wanted.begin());
    const auto kept = size_t(differ.first - cached_.begin());
    for (const auto& cache : caches_) cache->drop(int64_t(cached_.size() - kept));
    cached_.resize(kept);
    return kept;
  }

  /// logits: [variants, rows, vocab], after `from`, from + 1, ... tokens of `ahead`.
  std::vector<std::vector<Distribution>> distributions(at::Tensor logits, int32_t pending,
                                                       std::span<const int32_t> ahead,
                                                       size_t from) const {
    if (scene_.generation->processor.on()) {  // its rows are those of the whole draft
      DraftTree draft(pending);
      draft.insert(ahead, 0, 1, ahead.size() + 1);
      logits = at::constant_pad_nd(logits, {0, 0, int64_t(from), 0}).contiguous();
      for (int64_t m = 0; m < logits.size(0); ++m) {
        at::Tensor rows = logits[m];
        processor_.apply(rows, 0, draft);
      }
      logits = logits.narrow(1, int64_t(from), logits.size(1) - int64_t(from));
    }
    std::vector<std::vector<Distribution>> out(size_t(logits.size(1)));
    for (int64_t row = 0; row < logits.size(1); ++row)
      for (int64_t m = 0; m < logits.size(0); ++m)
        out[size_t(row)].push_back(distribution_of(logits[m][row], scene_));
    return out;
  }

  const Vlm& model_;
  const DraftModelInput scene_;
  const std::vector<DraftInput> inputs_;
  const int32_t line_break_ = model_.tokenizer().encode("\n", false).at(0);
  LogitProcessor processor_;
  std::vector<std::unique_ptr<LayeredKvCache>> caches_;  ///< of the variants
  Ids cached_;            ///< the tokens that they hold after their prompts
  size_t processed_ = 0;  ///< tokens of the output that the penalties have seen
};

}  // namespace

Distribution distribution_of(const at::Tensor& logits, const DraftModelInput& input) {
  const at::Tensor row = logits.to(at::kCPU).contiguous();
  const float* from = row.const_data_ptr<float>();
  std::vector<float> own(from, from + std::min(row.size(0), input.vocab_size));
  own.resize(size_t(input.vocab_size), -std::numeric_limits<float>::infinity());
  return sampling_distribution(own, distributions_of(input.generation->sampling));
}

MakeDraftModelSession draft_model_sessions(const Vlm& model) {
  return [&model](const DraftModelInput& draft_input, std::vector<DraftInput> inputs) {
    return std::make_unique<VlmDraftSource>(model, draft_input, std::move(inputs));
  };
}

void require_same_tokenizer(const Vlm& target, const Vlm& drafter, const std::string& folder) {
  const Tokenizer &a = target.tokenizer(), &b = drafter.tokenizer();
  const auto differ = [&](const std::string& what) {
    throw Error(ExitCode::dependency, fmt::format("--draft model:{}: {}; a draft model must have "
                                                  "the tokenizer of the model it drafts for, or "
                                                  "its first tokens",
                                                  folder, what));
  };
  if (a.vocab_size() < b.vocab_size())
    differ(
        fmt::format("its tokenizer has {} tokens, the model's {}", b.vocab_size(), a.vocab_size()));
  for (int32_t id = 0; id < b.vocab_size(); ++id)
    if (a.bytes_of(id) != b.bytes_of(id) || a.is_special(id) != b.is_special(id))
      differ(fmt::format("token {} is '{}', the model's is '{}'", id, b.decode({&id, 1}),
                         a.decode({&id, 1})));
}

}  // namespace docspec
