#include "core/decode/draft_source.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/decode/draft_tree.h"
#include "core/error.h"
#include "core/model/prompt_set.h"
#include "core/model/vlm.h"
#include "core/text/tokenizer.h"
#include "core/text_size.h"

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

class VlmDraftSource : public DraftSource {
 public:
  VlmDraftSource(const Vlm& model, const DraftScene& scene, std::vector<DraftInput> inputs)
      : model_(model),
        scene_(scene),
        inputs_(std::move(inputs)),
        processor_(scene.generation->processor) {}

  size_t variants() const override { return inputs_.size(); }

  std::vector<std::vector<Law>> read(std::span<const int32_t> output,
                                     std::span<const int32_t> ahead, size_t from) override {
    if (caches_.empty()) prefill();
    keep(output);
    chain_.assign(output.begin() + std::ptrdiff_t(cached_), output.end());
    const size_t first = chain_.size() - 1 + from;  // the first row that is asked for
    chain_.insert(chain_.end(), ahead.begin(), ahead.end());
    DraftTree tree(chain_[0]);
    tree.insert(std::span(chain_).subspan(1), 0, 1, chain_.size());
    std::vector<PassJob> jobs;
    for (const auto& cache : caches_) jobs.push_back({&tree, cache.get(), nullptr});
    at::Tensor logits = model_.language_model().forward(jobs, {}).contiguous();
    for (size_t m = 0; m < caches_.size(); ++m)
      processor_.apply(logits, int64_t(m * tree.rows()), tree);
    logits = logits.to(at::kCPU);
    std::vector<std::vector<Law>> out;
    for (size_t row = first; row < tree.rows(); ++row) {
      auto& laws = out.emplace_back();
      for (size_t m = 0; m < caches_.size(); ++m)
        laws.push_back(law(logits, m * tree.rows() + row));
    }
    return out;
  }

 private:
  static constexpr size_t kTextTokens = 1024;  ///< of DraftInput::draft

  void prefill() {
    const PromptSet& prompts = model_.prompts();
    const std::string& question = prompts.question(scene_.stage);
    const VisualRows seen =
        model_.see(scaled(*scene_.image, scene_.scale ? scene_.scale(prompts.text_px()) : 1));
    const Ids whole = model_.prompt_ids(seen.rows.size(0), question);
    std::vector<std::unique_ptr<KvCache>> caches;
    for (const DraftInput input : inputs_) {
      VisualRows rows = seen;
      Ids prompt = whole;
      if (input == DraftInput::pooled) {
        rows = pooled(seen);
        prompt = model_.prompt_ids(rows.rows.size(0), question);
      } else if (input != DraftInput::image) {
        Ids text(size_t(seen.rows.size(0)), model_.tokenizer().encode("\n", false).at(0));
        if (input == DraftInput::draft) text = model_.tokenizer().encode("image: ", false);
        if (input == DraftInput::draft) append_text(text);
        prompt = with_text(std::move(prompt), model_.image_token(), text);
      }
      const bool sees = input == DraftInput::image || input == DraftInput::pooled;
      caches.push_back(model_.prefill_seen(sees ? &rows : nullptr, prompt).cache);
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

  /// Commits what the last pass appended as far as the output has it, but for the pending token:
  /// its row is asked for again.
  void keep(std::span<const int32_t> output) {
    std::vector<int32_t> rows;
    while (rows.size() < chain_.size() && cached_ + rows.size() + 1 < output.size() &&
           chain_[rows.size()] == output[cached_ + rows.size()])
      rows.push_back(int32_t(rows.size()));
    for (const auto& cache : caches_) cache->commit(rows);
    cached_ += rows.size();
    processor_.commit(output.subspan(processed_, cached_ + 1 - processed_));
    processed_ = cached_ + 1;  // row 0 of the next pass is among what the penalties know
  }

  /// Over the target's vocabulary: heads are padded, each in its way.
  Law law(const at::Tensor& logits, size_t row) const {
    const float* from = logits.const_data_ptr<float>() + row * size_t(logits.size(1));
    std::vector<float> own(from, from + std::min(logits.size(1), scene_.vocab_size));
    own.resize(size_t(scene_.vocab_size), -std::numeric_limits<float>::infinity());
    return sampling_law(own, laws_of(scene_.generation->sampling));
  }

  const Vlm& model_;
  const DraftScene scene_;
  const std::vector<DraftInput> inputs_;
  LogitProcessor processor_;
  std::vector<std::unique_ptr<KvCache>> caches_;  ///< of the variants; all as long
  Ids chain_;                                     ///< of the last pass
  size_t cached_ = 0, processed_ = 0;             ///< tokens of the output
};

constexpr std::pair<std::string_view, DraftInput> kInputs[] = {{"image", DraftInput::image},
                                                               {"text", DraftInput::text},
                                                               {"pooled", DraftInput::pooled},
                                                               {"draft", DraftInput::draft}};

}  // namespace

std::vector<DraftInput> parse_inputs(std::string_view axis, std::string_view text) {
  std::vector<DraftInput> out;
  while (true) {
    const std::string_view name = text.substr(0, text.find('+'));
    const auto* found = std::find_if(std::begin(kInputs), std::end(kInputs),
                                     [&](const auto& input) { return input.first == name; });
    if (found == std::end(kInputs) || std::find(out.begin(), out.end(), found->second) != out.end())
      throw Error(ExitCode::usage,
                  fmt::format("{}: inputs={}: must be some of image, text, pooled, draft, each "
                              "once, with + between",
                              axis, text));
    out.push_back(found->second);
    if (name.size() == text.size()) return out;
    text.remove_prefix(name.size() + 1);
  }
}

std::unique_ptr<DraftSource> make_draft_source(const Vlm& model, const DraftScene& scene,
                                               std::vector<DraftInput> inputs) {
  return std::make_unique<VlmDraftSource>(model, scene, std::move(inputs));
}

void require_same_tokenizer(const Vlm& target, const Vlm& drafter, const std::string& folder) {
  const Tokenizer &a = target.tokenizer(), &b = drafter.tokenizer();
  const auto differ = [&](const std::string& what) {
    throw Error(ExitCode::dependency, fmt::format("--draft model:{}: {}; a draft model must have "
                                                  "the tokenizer of the model it drafts for",
                                                  folder, what));
  };
  if (a.vocab_size() != b.vocab_size())
    differ(
        fmt::format("its tokenizer has {} tokens, the model's {}", b.vocab_size(), a.vocab_size()));
  for (int32_t id = 0; id < a.vocab_size(); ++id)
    if (a.bytes_of(id) != b.bytes_of(id) || a.is_special(id) != b.is_special(id))
      differ(fmt::format("token {} is '{}', the model's is '{}'", id, b.decode({&id, 1}),
                         a.decode({&id, 1})));
}

}  // namespace docspec
