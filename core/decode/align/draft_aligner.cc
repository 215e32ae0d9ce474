#include "core/decode/align/draft_aligner.h"

#include <algorithm>

#include "core/text/tokenizer.h"

namespace docspec {
namespace {

constexpr uint32_t kBand = 48;     ///< cells of a band
constexpr uint32_t kBefore = 16;   ///< of them before the cursor
constexpr size_t kMostTracks = 4;  ///< drafts followed at a time
constexpr double kFading = 0.9, kLost = 0.12, kEntered = 0.7, kNamed = 0.95;
constexpr int32_t kFar = 1 << 20;
constexpr double kSameBox = 0.5;   ///< least IoU at which a box names a region
constexpr size_t kMostHeads = 16;  ///< heads proposed at a time
constexpr size_t kLongestTrail = 24;

uint64_t hash(std::span<const uint32_t> symbols) {
  uint64_t h = 14695981039346656037u;
  for (const uint32_t symbol : symbols) {
    h = (h ^ symbol) * 1099511628211u;
    h ^= h >> 29;
  }
  return h;
}

std::string_view rule_of(char op) {
  return op == '~' ? "substitution" : op == '+' ? "insertion" : op == '-' ? "deletion" : "cursor";
}

}  // namespace

DraftAligner::DraftAligner(std::span<const DraftTokens> drafts, const Tokenizer* tokenizer)
    : tokenizer_(tokenizer),
      seed_(tokenizer ? 10 : 3),
      head_(tokenizer ? 3 : 1),
      token_symbols_(tokenizer ? 4 : 1),
      reader_(tokenizer) {
  for (const DraftTokens& draft : drafts) add(draft);
  list_places();
}

void DraftAligner::add(const DraftTokens& draft) {
  const auto index = uint32_t(drafts_.size());
  const KeyedDraft& keyed = drafts_.emplace_back(draft, tokenizer_);
  const auto symbols = keyed.symbols();
  for (size_t end = seed_; end <= symbols.size(); ++end)
    seeds_[hash(symbols.subspan(end - seed_, seed_))].emplace_back(index, uint32_t(end));
  if (symbols.size() >= head_) heads_[hash(symbols.first(head_))].emplace_back(index, head_);
  read_to_.push_back(0);
}

void DraftAligner::follow(std::span<const int32_t> output) {
  if (seen_ == output.size()) return;
  while (seen_ < output.size()) read(output[seen_++]);
  list_places();
}

void DraftAligner::read(int32_t id) {
  std::vector<Symbol> fresh;
  reader_.push(id, fresh);
  for (const Symbol& symbol : fresh) {
    for (Track& track : tracks_) step(track, symbol.value);
    symbols_.push_back(symbol.value);
  }
  if (fresh.empty()) {
    if (trail_.size() == kLongestTrail) trail_.erase(trail_.begin());
    trail_.push_back(id);
  } else {
    trail_.clear();
  }
  std::erase_if(tracks_, [](const Track& track) { return track.quality < kLost; });
  if (!fresh.empty()) enter_where_symbols_match();
  if (tokenizer_)
    for (const char c : tokenizer_->bytes_of(id))
      if (boxes_.push(c)) enter_by_box(boxes_.box());
  std::stable_sort(tracks_.begin(), tracks_.end(),
                   [](const Track& a, const Track& b) { return a.quality > b.quality; });
  if (tracks_.size() > kMostTracks) tracks_.resize(kMostTracks);
  for (const Track& track : tracks_)
    if (best_cell(track).run >= int32_t(seed_))
      read_to_[track.draft] = std::max(read_to_[track.draft], place_of(track, track.best));
  if (!tracks_.empty()) last_draft_ = tracks_[0].draft;
}

/// Computes one row of the edit distance. The band moves with its cheapest cell.
void DraftAligner::step(Track& track, uint32_t symbol) const {
  const auto symbols = drafts_[track.draft].symbols();
  std::vector<Cell>& cells = track.cells;
  Cell diagonal{kFar, 0, '='};
  for (uint32_t i = 0; i < cells.size(); ++i) {
    const Cell above = cells[i];
    Cell next{above.cost + 1, 0, '+'};
    if (diagonal.cost < kFar) {
      const bool same = symbols[track.low + i - 1] == symbol;
      const int32_t cost = diagonal.cost + !same;
      if (cost <= next.cost) next = {cost, same ? diagonal.run + 1 : 0, same ? '=' : '~'};
    }
    if (i > 0 && cells[i - 1].cost + 1 < next.cost) next = {cells[i - 1].cost + 1, 0, '-'};
    diagonal = above;
    cells[i] = next;
  }
  const auto better = [](const Cell& a, const Cell& b) {
    return a.cost != b.cost ? a.cost < b.cost : a.run > b.run;
  };
  track.best = uint32_t(std::min_element(cells.begin(), cells.end(), better) - cells.begin());
  track.quality = kFading * track.quality + (1 - kFading) * (best_cell(track).run > 0);
  const int32_t least = best_cell(track).cost;
  for (Cell& cell : cells) cell.cost -= least;
  if (track.best <= kBefore) return;
  const uint32_t shift = track.best - kBefore;
  cells.erase(cells.begin(), cells.begin() + shift);
  track.low += shift;
  track.best = kBefore;
  const uint32_t size = std::min(kBand, uint32_t(symbols.size()) - track.low + 1);
  while (cells.size() < size) cells.push_back({cells.back().cost + 1, 0, '-'});
}

bool DraftAligner::unread(uint32_t draft) const {
  return read_to_[draft] * 2 < drafts_[draft].symbols().size() || read_to_[draft] == 0;
}

/// Begins to follow `draft` with the cursor before `symbol`.
void DraftAligner::enter(uint32_t draft, uint32_t symbol, double quality, int32_t run) {
  for (Track& track : tracks_) {
    if (track.draft != draft || symbol < track.low) continue;
    const uint32_t cell = symbol - track.low;
    if (cell < track.cells.size() && track.cells[cell].cost <= 1) {
      track.quality = std::max(track.quality, quality);
      return;
    }
  }
  Track track;
  track.draft = draft;
  track.low = symbol > kBefore ? symbol - kBefore : 0;
  const auto end = uint32_t(drafts_[draft].symbols().size());
  for (uint32_t place = track.low; place <= end && track.cells.size() < kBand; ++place) {
    const int32_t off = std::abs(int32_t(place) - int32_t(symbol));
    track.cells.push_back({off, 0, place < symbol ? '+' : '-'});
  }
  track.best = symbol - track.low;
  track.cells[track.best] = {0, run, '='};
  track.quality = quality;
  tracks_.push_back(std::move(track));
}

void DraftAligner::enter_where_symbols_match() {
  const bool sure = !tracks_.empty() && best_cell(tracks_[0]).run >= int32_t(seed_);
  if (sure) return;
  const std::span<const uint32_t> symbols = symbols_;
  std::vector<std::pair<uint32_t, uint32_t>> hits;
  if (symbols.size() >= seed_)
    if (const auto it = seeds_.find(hash(symbols.last(seed_))); it != seeds_.end())
      hits = it->second;
  const int32_t run = hits.empty() ? int32_t(head_) : int32_t(seed_);
  // Between two blocks the first symbols of one are enough.
  const bool between = tracks_.empty() || tracks_[0].quality < 0.5 || at_end();
  if (hits.empty() && between && symbols.size() >= head_)
    if (const auto it = heads_.find(hash(symbols.last(head_))); it != heads_.end())
      for (const auto& hit : it->second)
        if (unread(hit.first)) hits.push_back(hit);
  const auto distance = [&](const std::pair<uint32_t, uint32_t>& hit) {
    const int64_t drafts = int64_t(hit.first) - int64_t(last_draft_);
    const int64_t symbols_ahead = int64_t(hit.second) - int64_t(read_to_[hit.first]);
    return (drafts < 0 ? -3 * drafts : drafts) * 1000 +
           (symbols_ahead < 0 ? -2 * symbols_ahead : symbols_ahead);
  };
  const size_t most = std::min<size_t>(hits.size(), 2);
  std::partial_sort(hits.begin(), hits.begin() + ptrdiff_t(most), hits.end(),
                    [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
  for (size_t i = 0; i < most; ++i)
    enter(hits[i].first, hits[i].second, kEntered - 0.1 * double(i), run);
}

void DraftAligner::enter_by_box(const Box& box) {
  double best = kSameBox;
  const KeyedDraft* found = nullptr;
  for (const KeyedDraft& draft : drafts_) {
    const double same = draft.box() ? iou(*draft.box(), box) : 0;
    if (same > best) best = same, found = &draft;
  }
  if (found) enter(uint32_t(found - drafts_.data()), found->after_box(), kNamed, 0);
}

bool DraftAligner::at_end() const {
  return !tracks_.empty() &&
         place_of(tracks_[0], tracks_[0].best) == drafts_[tracks_[0].draft].symbols().size();
}

void DraftAligner::list_places() {
  places_.clear();
  const auto add = [&](const Track& track, uint32_t cell, std::string_view rule,
                       int64_t match_length) {
    const Continuation place{track.draft, place_of(track, cell), rule, match_length};
    for (const Continuation& known : places_)
      if (known.draft == place.draft && known.symbol == place.symbol) return;
    places_.push_back(place);
  };
  for (size_t t = 0; t < tracks_.size(); ++t) {
    const Track& track = tracks_[t];
    const Cell& best = best_cell(track);
    const std::string_view other = t == 0 ? "cursor" : "second";
    add(track, track.best, best.run > 0 ? other : rule_of(best.op), best.run / token_symbols_);
    if (t > 0 || best.run >= int32_t(seed_)) continue;
    // Unsure: the next cheapest places too, between tokens.
    for (int32_t cost = 0; cost <= 1; ++cost)
      for (uint32_t cell = 0; cell < track.cells.size() && places_.size() < 5; ++cell)
        if (track.cells[cell].cost == cost &&
            drafts_[track.draft].between_tokens(place_of(track, cell)))
          add(track, cell, rule_of(track.cells[cell].op), 0);
  }
  if (tracks_.empty() || at_end() || tracks_[0].quality < 0.4) list_heads();
}

void DraftAligner::list_heads() {
  const size_t most = places_.size() + kMostHeads;
  const auto count = uint32_t(drafts_.size());
  for (uint32_t i = 0; i < count && places_.size() < most; ++i) {
    const uint32_t index = (last_draft_ + (tracks_.empty() ? 0 : 1) + i) % count;
    if (drafts_[index].ids().empty() || !unread(index)) continue;
    places_.push_back({index, 0, i == 0 ? "next head" : "head", 0});
  }
}

}  // namespace docspec
