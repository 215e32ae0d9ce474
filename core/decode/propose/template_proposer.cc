#include "core/decode/propose/template_proposer.h"

#include <algorithm>
#include <map>

#include "core/decode/align/token_symbols.h"

namespace docspec {
namespace {

using Ids = std::vector<int32_t>;

/// A run is a stretch of markup tokens between two pieces of text.
constexpr size_t kLongestRun = 48, kMostFollowers = 4, kSuffix = 24;

class TemplateProposer : public Proposer {
 public:
  TemplateProposer(std::shared_ptr<DraftAligner> aligner, const Tokenizer* tokenizer)
      : aligner_(std::move(aligner)), tokenizer_(tokenizer), reader_(tokenizer) {}

  std::vector<Candidate> propose(std::span<const int32_t> output) override {
    if (!tokenizer_) return {};
    aligner_->follow(output);
    for (; seen_ < output.size(); ++seen_) read(output[seen_]);
    tokens_.clear();
    std::vector<Candidate> out;
    const auto known = followers_.find(last_);
    if (known == followers_.end()) return out;
    for (const Ids& run : known->second) {
      if (run.size() <= run_.size() || !std::equal(run_.begin(), run_.end(), run.begin())) continue;
      Ids ids(run.begin() + ptrdiff_t(run_.size()), run.end());
      append_draft(ids, run);
      tokens_.push_back(std::move(ids));
    }
    for (const Ids& ids : tokens_)
      out.push_back(
          {ids, "output", 1,
           run_.empty() ? text_ends() ? "template at a gap" : "template" : "template within",
           int64_t(run_.size())});
    return out;
  }

  void observe(const Observation&) override {}

 private:
  void read(int32_t id) {
    std::vector<Symbol> symbols;
    reader_.push(id, symbols);
    if (symbols.empty()) {
      if (run_.size() < kLongestRun) run_.push_back(id);
      return;
    }
    if (run_.empty()) return;
    remember();
    last_ = std::move(run_);
    run_.clear();
  }

  /// Newest follower first; the oldest one is dropped.
  void remember() {
    std::vector<Ids>& known = followers_[last_];
    std::erase(known, run_);
    known.insert(known.begin(), run_);
    if (known.size() > kMostFollowers) known.pop_back();
  }

  /// Appends the text of the draft that follows the markup.
  void append_draft(Ids& ids, std::span<const int32_t> run) const {
    for (const Continuation& place : aligner_->places()) {
      const KeyedDraft& draft = aligner_->draft(place.draft);
      if (place.symbol >= draft.symbols().size()) continue;
      Ids rest = draft.rest(place.symbol, run, kSuffix);
      const Ids bare = draft.other_blank(rest, true);
      if (!bare.empty()) rest = bare;
      ids.insert(ids.end(), rest.begin(), rest.end());
      return;
    }
  }

  /// Whether the draft too has a gap of space or markup here.
  bool text_ends() const {
    if (aligner_->places().empty()) return false;
    const Continuation& place = aligner_->places()[0];
    const KeyedDraft& draft = aligner_->draft(place.draft);
    return draft.between_tokens(place.symbol) &&
           draft.token_after(place.symbol) < draft.token_of(place.symbol);
  }

  std::shared_ptr<DraftAligner> aligner_;
  const Tokenizer* tokenizer_;
  SymbolReader reader_;
  std::map<Ids, std::vector<Ids>> followers_;  ///< of each run, the latest first
  Ids last_, run_;                             ///< the run before this text; the one being written
  std::vector<Ids> tokens_;                    ///< storage of the last candidates
  size_t seen_ = 0;
};

}  // namespace

std::unique_ptr<Proposer> make_template_proposer(std::shared_ptr<DraftAligner> aligner,
                                                 const Tokenizer* tokenizer) {
  return std::make_unique<TemplateProposer>(std::move(aligner), tokenizer);
}

}  // namespace docspec
