#include "core/decode/propose/window_proposer.h"

#include <algorithm>
#include <cstdlib>

#include "core/decode/propose/ngram_index.h"

namespace docspec {
namespace {

using TokenSpan = std::span<const int32_t>;
using Place = DraftPlace;

class WindowProposer : public Proposer {
 public:
  WindowProposer(std::vector<DraftTokens> drafts, const WindowOptions& options)
      : options_(options) {
    // Windows shorter than n are needed in the first n - 1 steps and to back off.
    for (size_t n = 1; n <= options_.window; ++n) index_.emplace_back(n);
    for (const auto& draft : drafts) add(draft);
  }

  void add(const DraftTokens& draft) override {
    for (auto& index : index_) index.add(uint32_t(tokens_.size()), draft.ids);
    sources_.push_back(draft.source);
    tokens_.push_back(draft.ids);
    cursor_.push_back(0);
    if (options_.stop_token >= 0 && !draft.ids.empty())
      tokens_.back().push_back(options_.stop_token);
  }

  std::vector<Candidate> propose(TokenSpan output) override {
    places_.clear();
    matched_ = std::min(options_.window, output.size());
    if (matched_ > 0) index_[matched_ - 1].find(output.last(matched_), places_);
    if (options_.reach > 0) back_off(output);
    if (output.size() < options_.window)
      for (uint32_t d = 0; d < tokens_.size(); ++d) places_.push_back({d, 0});
    std::erase_if(places_, [&](Place p) { return p.offset >= tokens_[p.draft].size(); });
    rank();
    std::vector<Candidate> out;
    for (const Place& place : places_) {
      // The nearest place is worth more than the others; a head follows no match.
      const bool head = place.offset == 0, first = out.empty();
      const std::string_view rule = head ? "head" : options_.reach > 0 ? "backoff" : "window";
      out.push_back({suffix(place), sources_[place.draft], score(place), rule,
                     head ? 0 : int64_t(matched_) - !first});
    }
    return out;
  }

  /// Moves the cursor of each draft that has most of the emitted tokens; the bonus token counts if
  /// it is the next token of the draft.
  void observe(const Observation& step) override {
    size_t best = 1;
    std::vector<std::pair<Place, size_t>> right;
    for (const Place& place : places_) {
      const TokenSpan tokens = suffix(place);
      const size_t length = size_t(
          std::mismatch(tokens.begin(), tokens.end(), step.emitted.begin(), step.emitted.end())
              .first -
          tokens.begin());
      if (length < best) continue;
      if (length > best) right.clear();
      best = length;
      right.push_back({place, length});
    }
    // places_ is ranked: of several places in one draft the first is the nearest.
    for (size_t i = right.size(); i-- > 0;)
      cursor_[right[i].first.draft] = right[i].first.offset + uint32_t(right[i].second);
  }

 private:
  /// Tries shorter windows, longest first, only near the cursors: far from them a match is an
  /// accident.
  void back_off(TokenSpan output) {
    while (places_.empty() && matched_ > 1) {
      --matched_;
      index_[matched_ - 1].find(output.last(matched_), places_);
      std::erase_if(places_, [&](Place p) { return distance(p) > int64_t(options_.reach); });
    }
  }

  TokenSpan suffix(Place place) const {
    const TokenSpan rest = TokenSpan(tokens_[place.draft]).subspan(place.offset);
    return rest.first(std::min(rest.size(), options_.max_suffix));
  }

  /// Tokens between the cursor of the draft and the position; positions before the cursor count
  /// double.
  int64_t distance(Place place) const {
    const int64_t ahead = int64_t(place.offset) - int64_t(cursor_[place.draft]);
    return ahead < 0 ? -2 * ahead : ahead;
  }

  /// Whether the position is a head (no match leads to offset 0): a guess, while a match is
  /// evidence.
  float score(Place place) const {
    return (place.offset == 0 ? 0.25f : 1.f) / (1.f + 0.05f * float(distance(place)));
  }

  void rank() {
    std::stable_sort(places_.begin(), places_.end(),
                     [&](Place a, Place b) { return score(a) > score(b); });
    if (places_.size() <= options_.max_candidates) return;
    const auto far = places_.begin() + ptrdiff_t(options_.max_candidates * 3 / 4);
    std::stable_sort(far, places_.end(),
                     [&](Place a, Place b) { return suffix(a).size() > suffix(b).size(); });
    places_.resize(options_.max_candidates);
  }

  const WindowOptions options_;
  std::vector<std::string> sources_;
  std::vector<std::vector<int32_t>> tokens_;  ///< each draft with the stop token after it
  std::vector<NgramIndex> index_;             ///< for windows of 1..n tokens
  std::vector<uint32_t> cursor_;              ///< per draft: after the last accepted token
  std::vector<Place> places_;                 ///< of the last propose, in rank order
  size_t matched_ = 0;                        ///< tokens of the window that found them
};

}  // namespace

std::unique_ptr<Proposer> make_window_proposer(std::vector<DraftTokens> drafts,
                                               const WindowOptions& options) {
  return std::make_unique<WindowProposer>(std::move(drafts), options);
}

}  // namespace docspec
