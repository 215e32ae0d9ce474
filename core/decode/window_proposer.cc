#include "core/decode/window_proposer.h"

#include <algorithm>
#include <cstdlib>
#include <unordered_map>

namespace docspec {
namespace {

using Ids = std::span<const int32_t>;

/// A place in a draft: `offset` is the token that would come next.
struct Place {
  uint32_t draft = 0;
  uint32_t offset = 0;
};

uint64_t hash(Ids ids) {
  uint64_t h = 14695981039346656037u;
  for (const int32_t id : ids) h = (h ^ uint32_t(id)) * 1099511628211u;
  return h;
}

/// Where each n-gram of all drafts ends. Built once in O(total tokens), looked up in O(hits).
class NgramIndex {
 public:
  NgramIndex(std::span<const std::vector<int32_t>> drafts, size_t n) : drafts_(drafts) {
    for (uint32_t d = 0; d < drafts.size(); ++d)
      for (size_t end = n; end <= drafts[d].size(); ++end)
        places_[hash(Ids(drafts[d]).subspan(end - n, n))].push_back({d, uint32_t(end)});
  }

  void find(Ids window, std::vector<Place>& out) const {
    const auto it = places_.find(hash(window));
    if (it == places_.end()) return;
    for (const Place& place : it->second) {
      const Ids found =
          Ids(drafts_[place.draft]).subspan(place.offset - window.size(), window.size());
      if (std::equal(found.begin(), found.end(), window.begin())) out.push_back(place);
    }
  }

 private:
  std::span<const std::vector<int32_t>> drafts_;
  std::unordered_map<uint64_t, std::vector<Place>> places_;
};

class WindowProposer : public Proposer {
 public:
  WindowProposer(std::vector<DraftTokens> drafts, const WindowOptions& options)
      : options_(options), cursor_(drafts.size(), 0) {
    for (auto& draft : drafts) {
      sources_.push_back(std::move(draft.source));
      tokens_.push_back(std::move(draft.ids));
    }
    // Windows shorter than n are asked for in the first n - 1 steps only.
    for (size_t n = 1; n <= options_.window; ++n) index_.emplace_back(tokens_, n);
    for (auto& ids : tokens_)
      if (options_.stop_token >= 0 && !ids.empty()) ids.push_back(options_.stop_token);
  }

  std::vector<Candidate> propose(Ids output) override {
    places_.clear();
    const size_t n = std::min(options_.window, output.size());
    if (n > 0) index_[n - 1].find(output.last(n), places_);
    if (output.size() < options_.window)
      for (uint32_t d = 0; d < tokens_.size(); ++d) places_.push_back({d, 0});
    std::erase_if(places_, [&](Place p) { return p.offset >= tokens_[p.draft].size(); });
    rank();
    std::vector<Candidate> out;
    for (const Place& place : places_)
      out.push_back({suffix(place), sources_[place.draft], score(place)});
    return out;
  }

  /// Moves the cursor of each draft that foresaw most of what was emitted; the bonus token counts
  /// where it is the draft's next token.
  void observe(const Observation& step) override {
    size_t best = 1;
    std::vector<std::pair<Place, size_t>> right;
    for (const Place& place : places_) {
      const Ids tokens = suffix(place);
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
  Ids suffix(Place place) const {
    const Ids rest = Ids(tokens_[place.draft]).subspan(place.offset);
    return rest.first(std::min(rest.size(), options_.max_suffix));
  }

  /// Tokens between the draft's cursor and the place; what was already consumed counts double.
  int64_t distance(Place place) const {
    const int64_t ahead = int64_t(place.offset) - int64_t(cursor_[place.draft]);
    return ahead < 0 ? -2 * ahead : ahead;
  }

  /// A head (no match leads to offset 0) is a guess where a match is evidence.
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
  std::vector<std::vector<int32_t>> tokens_;  ///< each draft, the stop token behind it
  std::vector<NgramIndex> index_;             ///< for windows of 1..n tokens
  std::vector<uint32_t> cursor_;              ///< per draft: after the last accepted token
  std::vector<Place> places_;                 ///< of the last propose, in rank order
};

}  // namespace

std::unique_ptr<Proposer> make_window_proposer(std::vector<DraftTokens> drafts,
                                               const WindowOptions& options) {
  return std::make_unique<WindowProposer>(std::move(drafts), options);
}

}  // namespace docspec
