#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/document/document.h"
#include "core/letters/words/marked_words.h"
#include "core/letters/words/page_words.h"
#include "core/letters/words/word_alignment.h"
#include "core/markup/base/table.h"
#include "core/page/draft.h"

namespace docspec {

/// One place of a block where the model's words are not the page's.
struct Difference {
  size_t a0 = 0, a1 = 0;  ///< words of the block; a0 == a1: the model has none here
  size_t b0 = 0, b1 = 0;  ///< tokens of the block's page side; b0 == b1: the page has none here
  std::vector<std::string> texts;  ///< the page's words as they would stand, hyphens joined
  std::string model, page;         ///< both readings, words apart by blanks
  Box box;                         ///< of the page's tokens, or of the neighbours' gap
  std::vector<Box> lines;     ///< the parts of it on each line, in reading order; a leader parts
  std::string doubt;          ///< why the page's reading cannot be believed; "" = it can
  bool room = false;          ///< without page words: there is ink that may be some
  bool elsewhere = false;     ///< few of the block's words stand just so on the page
  bool number = false;        ///< a digit is in either reading
  bool blanks = false;        ///< the readings have the same letters
  bool gaps = false;          ///< the page's words are letters with visible gaps between
  bool inline_words = false;  ///< words that the model left out stand on a line with others
  bool alike = false;         ///< the readings share half of their letters
  double confidence = 1;      ///< of the page's words, the least
  std::vector<std::string> fonts;  ///< of the page's words
  bool doubtful = false;           ///< a number of which no reading is sure
  bool accepted = false;           ///< the page's reading is to stand
  std::string why;
  size_t cell = SIZE_MAX;  ///< of a table: where words go that the model left out
};

/// Words of the page in one font that stand against a word of the model, and those that it has
/// written just so.
struct FontCount {
  size_t tokens = 0, equal = 0;
};

bool has_digit(std::string_view text);

/// Appends a word, with a blank between.
void append_word(std::string& text, const std::string& word);

/// The words of one block, and of the page where it stands.
class BlockLetters {
 public:
  /// `block` outlives it. A table's words are those of its cells.
  explicit BlockLetters(Block& block);

  const Block& block() const { return *block_; }
  const std::vector<MarkedWord>& words() const { return words_; }
  /// Whether it is a block of text, which the model may have left empty.
  bool has_text() const { return !words_.empty() || (!table_ && !pieces_.empty()); }
  /// The words as they are aligned, without the mark that opens a list item.
  std::vector<AlignedWord> aligned() const;

  /// Takes the mark of a list item out of the page's tokens: it is part of what the block is.
  /// Where the block's text is plain, its mark goes, too.
  void drop_mark(std::vector<PageToken>& tokens);
  /// Takes tokens of the page and how they match, over `aligned()`. `box`: the block's, in
  /// pixels, whose lines the tokens are; empty = they are in the file's order.
  void set_page(std::vector<PageToken> tokens, std::vector<WordMatch> matches, const Box& box);
  /// The words at the block's end that no token is like, as `aligned()`: a paragraph that goes on
  /// in the next column has the box of its first part.
  std::vector<AlignedWord> open_end() const;
  /// Takes tokens of the page for the words of open_end() and how they match.
  void extend(std::vector<PageToken> tokens, const std::vector<WordMatch>& matches);
  /// The block cannot be compared.
  void set_unknown(std::string why) { why_ = std::move(why); }
  const std::vector<PageToken>& tokens() const { return tokens_; }
  /// Adds the page's words for which the block has one, and how many of these are just so.
  void count_fonts(std::map<std::string, FontCount>& counts) const;
  /// Share of the words of both sides, the block's and those that stand in it, that have one of the
  /// other; 1 where nothing was compared.
  double shared_words() const;
  /// The block becomes this draft of OCR, of the same place.
  void take_draft(const Draft& draft, const std::string& why);
  /// Whether a model has written the block; the letters of a draft are not compared.
  bool from_model() const;
  /// Marks the page's words that this block has, or those `inside` its box alone.
  void claim(std::vector<char>& claimed, bool inside = false) const;
  /// Takes out what says that words were left out which stand in another place of the block.
  void drop_moved();
  /// Marks the page's words that it has left out, where they would stand in it.
  void claim_left_out(std::vector<char>& claimed) const;
  /// Marks the page's words that stand in its box.
  void claim_inside(std::vector<char>& claimed) const;
  /// Whether it has words of the page, and none, nor any in its box, that are not claimed.
  bool repeats(const std::vector<char>& claimed) const;
  /// The block's words as one place where the page has none.
  WordReading taken_out(WordSource source) const;
  /// Tells the differences, but for words that another block has or that stand around this one.
  /// `image` nullptr = where there is space, there may be words.
  /// `source`: whose words they are; ink without a word speaks against a text layer alone.
  void find_differences(const std::vector<char>& claimed, const PageImage* image,
                        WordSource source);
  std::vector<Difference>& differences() { return differences_; }
  const std::vector<Difference>& differences() const { return differences_; }

  /// Writes the accepted differences into the block and says in Block::words what was done.
  /// `source`: whose tokens they are. `to_points`: points a pixel.
  void apply(WordSource source, double to_points);

 private:
  struct Piece {
    size_t first = 0, count = 0;  ///< its words
    int row = 0, cell = 0;        ///< of a table
  };
  struct Edit {
    size_t piece, from, to;
    std::string text;
  };

  void add_piece(const std::string& text, bool markdown, int row, int cell);
  size_t open_from() const;
  size_t piece_of(size_t word) const;
  std::string& text_of(const Piece& piece);
  void add_gap(size_t from, size_t to, const std::vector<char>& claimed);
  void add_difference(size_t a0, size_t a1, size_t b0, size_t b1, const std::vector<char>& claimed);
  Difference described(size_t a0, size_t a1, size_t b0, size_t b1) const;
  bool place_in_cells();
  size_t cell_of(const WordMatch& match) const;
  bool has_room_in_cell(size_t cell, size_t b, size_t letters) const;
  void pair_moved();
  bool mostly_elsewhere() const;
  bool is_moved(const WordMatch& match) const;
  bool alone(size_t match) const;
  bool same_place(size_t a0, size_t a1) const;
  bool has_space(size_t b, size_t letters, bool twice) const;
  bool has_room(size_t a, size_t b, size_t letters, bool twice) const;
  bool may_shift(size_t a0, size_t a1, size_t b) const;
  bool word_beside(const Box& box, bool right) const;
  bool is_part(const Difference& difference, size_t b0, size_t b1) const;
  bool goes_on(size_t a0, size_t a1, size_t b0, size_t b1) const;
  bool lacks_words(size_t b0, size_t b1) const;
  bool in_line(size_t b0, size_t b1) const;
  bool is_word_of_line(size_t a, size_t b0, size_t b1) const;
  bool has_gaps(size_t b0, size_t b1) const;
  bool in_order(size_t b0, size_t b1) const;
  void apply_draft();
  void edits_of(const Difference& difference, std::vector<Edit>& edits);
  std::string escaped(const std::string& letters) const;
  WordReading reading_of(const Difference& difference, WordSource source, double to_points) const;

  Block* block_;
  std::optional<Table> table_;
  std::vector<Piece> pieces_;
  std::vector<MarkedWord> words_;
  size_t skipped_ = 0;      ///< words at the start that are no text: a list item's mark
  bool mark_goes_ = false;  ///< the page shows the mark, and the block's kind says so
  std::vector<PageToken> tokens_;
  std::vector<WordMatch> matches_;   ///< over words(), no longer over aligned()
  size_t extended_from_ = SIZE_MAX;  ///< words from here on stand elsewhere on the page
  bool cells_known_ = false;         ///< of a table: each token tells its cell
  std::vector<size_t> moved_;        ///< words of a table whose match is out of the tokens' order
  std::vector<Difference> differences_;
  std::string why_;     ///< why nothing was compared
  bool taken_ = false;  ///< the block is a draft now
  Box box_;
  const PageImage* image_ = nullptr;
  bool layer_ = true;  ///< the tokens are those of a text layer
};

}  // namespace docspec
