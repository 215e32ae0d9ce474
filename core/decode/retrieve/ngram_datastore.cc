#include "core/decode/retrieve/ngram_datastore.h"

#include <algorithm>

namespace docspec {

NgramDatastore::NgramDatastore(std::shared_ptr<const SuffixIndex> prior,
                               std::span<const std::vector<int32_t>> earlier,
                               const RetrievalOptions& options)
    : options_(options), prior_(std::move(prior)) {
  for (const auto& page : earlier) history_.add_text(page);
  history_.begin_text();
}

void NgramDatastore::advance(Matches& matches, int32_t token) const {
  history_.advance(matches.history, token);
  rejected_.advance(matches.rejected, token);
  if (prior_) prior_->advance(matches.prior, token);
}

void NgramDatastore::follow(std::span<const int32_t> output) {
  for (; seen_ < output.size(); ++seen_) {
    if (seen_ > 0) history_.add(output[seen_ - 1]);  // so that it never matches its own end
    advance(match_, output[seen_]);
  }
  const size_t context = std::min(output.size(), kContext);
  context_.assign(output.end() - std::ptrdiff_t(context), output.end());
}

std::vector<NgramDatastore::Phrase> NgramDatastore::phrases(const Matches& matches) const {
  std::vector<Phrase> out;
  const auto add = [&](const SuffixIndex& layer, const SuffixAutomaton::Match& at,
                       std::string_view name) {
    for (const auto& phrase : layer.phrases(at, options_.least_match, options_.depth))
      out.push_back({phrase.tokens, name, phrase.match_length});
  };
  add(history_, matches.history, "history");
  if (prior_) add(*prior_, matches.prior, "prior");
  add(rejected_, matches.rejected, "refused");
  return out;
}

std::span<const int32_t> NgramDatastore::phrase_after(std::span<const int32_t> ahead) const {
  Matches matches = match_;
  for (const int32_t token : ahead) advance(matches, token);
  const std::vector<Phrase> found = phrases(matches);
  const auto best = std::max_element(found.begin(), found.end(), [](const auto& a, const auto& b) {
    return a.match_length < b.match_length;
  });
  return best == found.end() ? std::span<const int32_t>() : best->tokens;
}

void NgramDatastore::observe(const Observation& step) {
  if (step.emitted.empty()) return;  // the stop token ends the text
  std::vector<int32_t> before = context_;
  for (size_t i = 0; i <= step.path.size(); ++i) {
    const int32_t at = i == 0 ? 0 : step.path[i - 1];
    const int32_t taken = i < step.path.size() ? step.path[i] : -1;
    if (i > 0) before.push_back(step.tree.token()[size_t(at)]);
    for (int32_t row = at + 1; row < int32_t(step.tree.rows()); ++row)
      if (step.tree.parent()[size_t(row)] == at && row != taken) keep(step.tree, row, before);
  }
}

void NgramDatastore::keep(const DraftTree& tree, int32_t row, const std::vector<int32_t>& before) {
  if (rejected_.size() >= kRejected) return;
  const size_t context = std::min(before.size(), kContext);
  std::vector<int32_t> text(before.end() - std::ptrdiff_t(context), before.end());
  text.push_back(tree.token()[size_t(row)]);
  for (int32_t next = row + 1, at = row; next < int32_t(tree.rows()); ++next)
    if (tree.parent()[size_t(next)] == at && text.size() < context + options_.depth) {
      text.push_back(tree.token()[size_t(next)]);
      at = next;
    }
  rejected_.add_text(text);
}

}  // namespace docspec
