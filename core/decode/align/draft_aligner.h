#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/decode/align/keyed_draft.h"
#include "core/decode/align/token_symbols.h"

namespace docspec {

/// A position in a draft where the output may continue.
struct Continuation {
  uint32_t draft = 0;
  uint32_t symbol = 0;       ///< the next one of the draft
  std::string_view rule;     ///< how it was found: "cursor", "substitution", "insertion", ...
  int64_t match_length = 0;  ///< tokens that agreed before it
};

/// Follows the output through the drafts and tolerates errors. Each draft that is being read has a
/// band of edit distances around its cursor, over matching keys (SymbolReader). After an error the
/// cheapest cells are the substitution, insertion and deletion candidates of algorithms.md 1.9; a
/// longer error costs its length. A draft is entered at its head, where n symbols match, or if its
/// box is the one that the output has just written. Shared by the proposers of one job; costs
/// O(band) per symbol.
class DraftAligner {
 public:
  DraftAligner(std::span<const DraftTokens> drafts, const Tokenizer* tokenizer);

  void add(const DraftTokens& draft);
  /// Reads the part of `output` that it has not read yet.
  void follow(std::span<const int32_t> output);
  /// The positions where the output may continue, best first. If no draft is being read, the heads
  /// of unread drafts.
  const std::vector<Continuation>& places() const { return places_; }

  uint32_t drafts() const { return uint32_t(drafts_.size()); }
  const KeyedDraft& draft(uint32_t index) const { return drafts_[index]; }
  /// Tokens of the output since its last symbol: markup and space.
  std::span<const int32_t> trail() const { return trail_; }
  /// Whether the best place is where its draft ends.
  bool at_end() const;

 private:
  struct Cell {
    int32_t cost = 0;
    int32_t run = 0;  ///< symbols that agreed in a row
    char op =
        '=';  ///< last operation of the cheapest alignment: = substitution ~ insertion + deletion -
  };
  struct Track {
    uint32_t draft = 0, low = 0;  ///< cells[i] is the place before symbol low + i
    std::vector<Cell> cells;
    double quality = 0.7;  ///< share of the last symbols that agreed
    uint32_t best = 0;     ///< cell
  };

  void read(int32_t id);
  void step(Track& track, uint32_t symbol) const;
  void enter(uint32_t draft, uint32_t symbol, double quality, int32_t run);
  void enter_where_symbols_match();
  void enter_by_box(const Box& box);
  void list_places();
  void list_heads();
  bool unread(uint32_t draft) const;
  const Cell& best_cell(const Track& track) const { return track.cells[track.best]; }
  uint32_t place_of(const Track& track, uint32_t cell) const { return track.low + cell; }

  const Tokenizer* tokenizer_;
  const size_t seed_, head_;     ///< symbols that must match to enter a draft anywhere, at its head
  const int64_t token_symbols_;  ///< symbols of a token, roughly
  std::vector<KeyedDraft> drafts_;
  std::vector<uint32_t> read_to_;  ///< per draft: the furthest symbol that was certainly read
  std::unordered_map<uint64_t, std::vector<std::pair<uint32_t, uint32_t>>> seeds_, heads_;
  SymbolReader reader_;
  BoxReader boxes_;
  std::vector<uint32_t> symbols_;  ///< of the output
  std::vector<int32_t> trail_;
  std::vector<Track> tracks_;  ///< best first
  std::vector<Continuation> places_;
  uint32_t last_draft_ = 0;  ///< read last; the one after it in reading order is likeliest next
  size_t seen_ = 0;          ///< tokens of the output
};

}  // namespace docspec
