#include "core/letters/block_letters.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <iterator>
#include <utility>

#include "core/letters/cell_order.h"
#include "core/text/unicode.h"

namespace docspec {
namespace {

bool is_bullet(std::string_view letters) {
  static constexpr std::string_view kBullets[] = {"*", "-", "•", "·", "–", "—",
                                                  "▪", "■", "◦", "●", "‣", "∙"};
  return std::find(std::begin(kBullets), std::end(kBullets), letters) != std::end(kBullets);
}

/// Share of letters that differ, at most, of readings that may be of one word.
constexpr double kAlike = 0.5, kNearlyTheSame = 0.34;

bool starts_small(const std::string& text) {
  if (text.empty()) return false;
  size_t at = 0;
  const uint32_t c = next_code_point(text, at);
  return c >= 0x80 || std::islower(int(c)) != 0;
}

/// Whether two readings differ in nothing but their blanks.
bool same_letters(std::string_view a, std::string_view b) {
  std::u32string x = fold(a), y = fold(b);
  std::erase(x, U' ');
  std::erase(y, U' ');
  return x == y;
}

}  // namespace

BlockLetters::BlockLetters(Block& block) : block_(&block) {
  if (block.kind == RegionKind::picture || block.kind == RegionKind::formula) return;
  if (block.kind == RegionKind::table && block.html) {
    table_ = parse_html_table(*block.html);
    if (!table_) return;
    for (size_t r = 0; r < table_->rows.size(); ++r)
      for (size_t c = 0; c < table_->rows[r].size(); ++c)
        add_piece(table_->rows[r][c].text, false, int(r), int(c));
    return;
  }
  add_piece(block.text, block.markdown_text, 0, 0);
  if (!words_.empty() && is_bullet(words_[0].letters)) skipped_ = 1;
}

void BlockLetters::add_piece(const std::string& text, bool markdown, int row, int cell) {
  const bool code = block_->kind == RegionKind::code;
  std::vector<MarkedWord> own = code ? plain_words(text) : marked_words(text, markdown);
  pieces_.push_back({words_.size(), own.size(), row, cell});
  words_.insert(words_.end(), std::make_move_iterator(own.begin()),
                std::make_move_iterator(own.end()));
}

size_t BlockLetters::piece_of(size_t word) const {
  size_t i = 0;
  while (i + 1 < pieces_.size() && word >= pieces_[i].first + pieces_[i].count) ++i;
  return i;
}

std::string& BlockLetters::text_of(const Piece& piece) {
  return table_ ? table_->rows[size_t(piece.row)][size_t(piece.cell)].text : block_->text;
}

std::vector<AlignedWord> BlockLetters::aligned() const {
  std::vector<AlignedWord> out;
  for (size_t i = skipped_; i < words_.size(); ++i)
    out.push_back({fold(words_[i].letters), words_[i].formula, words_[i].leader, false, false});
  return out;
}

void BlockLetters::drop_mark(std::vector<PageToken>& tokens) {
  const bool item = block_->kind == RegionKind::list_item;
  if (!item && skipped_ == 0) return;
  mark_goes_ = item && !block_->markdown_text && skipped_ > 0 && words_.size() > skipped_;
  const auto first = std::find_if(tokens.begin(), tokens.end(),
                                  [](const PageToken& token) { return token.inside; });
  if (first != tokens.end() && is_bullet(first->text)) tokens.erase(first);
}

void BlockLetters::set_page(std::vector<PageToken> tokens, std::vector<WordMatch> matches,
                            const Box& box) {
  box_ = box;
  tokens_ = std::move(tokens);
  matches_ = std::move(matches);
  for (WordMatch& match : matches_) {
    match.a0 += skipped_;
    match.a1 += skipped_;
  }
  if (table_ && !place_in_cells()) pair_moved();
}

size_t BlockLetters::open_from() const {
  size_t from = skipped_;
  for (const WordMatch& match : matches_)
    if (match.b1 > match.b0 && match.distance <= kAlike) from = std::max(from, match.a1);
  return from;
}

std::vector<AlignedWord> BlockLetters::open_end() const {
  if (table_ || tokens_.empty() || !from_model()) return {};
  std::vector<AlignedWord> all = aligned();
  return {all.begin() + ptrdiff_t(open_from() - skipped_), all.end()};
}

void BlockLetters::extend(std::vector<PageToken> tokens, const std::vector<WordMatch>& matches) {
  const size_t from = open_from(), known = tokens_.size(), line = tokens_.back().line + 1;
  std::erase_if(matches_, [&](const WordMatch& match) { return match.a1 > from; });
  extended_from_ = from;
  for (PageToken& token : tokens) {
    token.line += line;
    tokens_.push_back(std::move(token));
  }
  for (const WordMatch& match : matches)
    matches_.push_back(
        {match.a0 + from, match.a1 + from, match.b0 + known, match.b1 + known, match.distance});
}

bool BlockLetters::from_model() const {
  return block_->markdown_text || block_->source.empty() || block_->source == "verified";
}

/// Whether the words are of one text: a paragraph, one cell.
bool BlockLetters::same_place(size_t a0, size_t a1) const {
  return a1 <= a0 + 1 || piece_of(a0) == piece_of(a1 - 1);
}

Difference BlockLetters::described(size_t a0, size_t a1, size_t b0, size_t b1) const {
  Difference out;
  out.a0 = a0, out.a1 = a1, out.b0 = b0, out.b1 = b1;
  for (size_t a = a0; a < a1; ++a) {
    append_word(out.model, words_[a].letters);
    if (words_[a].fixed) out.doubt = "marks inside the word";
  }
  bool joins = false;  // the next token goes on with a hyphenated word
  for (size_t b = b0; b < b1; ++b) {
    const PageToken& token = tokens_[b];
    if (out.doubt.empty()) out.doubt = token.doubt;
    out.box = unite(out.box, token.box);
    if (b == b0 || token.line != tokens_[b - 1].line ||
        token.box.x0 - tokens_[b - 1].box.x1 > 2 * token.box.height())
      out.lines.emplace_back();
    out.lines.back() = unite(out.lines.back(), token.box);
    out.confidence = std::min(out.confidence, token.confidence);
    if (std::find(out.fonts.begin(), out.fonts.end(), token.font) == out.fonts.end())
      out.fonts.push_back(token.font);
    append_word(out.page, token.text);
    if (joins) {
      std::string& word = out.texts.back();
      if (word.ends_with('-') && starts_small(token.text) &&
          out.model.find('-') == std::string::npos)
        word.pop_back();
      word += token.text;
    } else {
      out.texts.push_back(token.text);
    }
    joins = token.aligned.line_end && token.text.size() > 1 &&
            (token.text.ends_with('-') || (a1 == a0 + 1 && token.text.ends_with("\u2014")));
  }
  if (layer_ && out.doubt.empty() && b0 < b1 && is_part(out, b0, b1))
    out.doubt = "the word goes on there";
  if (b0 == b1) {
    const bool twice = (a0 > 0 && words_[a0 - 1].letters == out.model) ||
                       (a1 < words_.size() && words_[a1].letters == out.model);
    // The cells of a table may be in another order than its lines.
    const auto doubted = [&](size_t b) { return b < tokens_.size() && !tokens_[b].doubt.empty(); };
    out.room = (table_ && !cells_known_ && !twice) || a0 >= extended_from_ ||
               (b0 > 0 && doubted(b0 - 1)) || doubted(b0) ||
               has_room(a0, b0, out.model.size(), twice) || (!twice && may_shift(a0, a1, b0));
    if (b0 > 0) out.box = tokens_[b0 - 1].box;
    if (b0 > 0 && b0 < tokens_.size() && tokens_[b0].line == tokens_[b0 - 1].line)
      out.box = unite(out.box, tokens_[b0].box);
  }
  out.inline_words = b0 < b1 && in_line(b0, b1);
  out.number = has_digit(out.model) || has_digit(out.page);
  out.blanks = same_letters(out.model, out.page);
  out.gaps = out.blanks && block_->kind != RegionKind::code && has_gaps(b0, b1);
  out.alike = letter_distance(fold(out.model), fold(out.page)) <= kAlike;
  if (out.doubt.empty() && !out.alike && a0 < a1 && b0 < b1 && lacks_words(b0, b1))
    out.doubt = "the layer lacks words there";
  return out;
}

void BlockLetters::add_difference(size_t a0, size_t a1, size_t b0, size_t b1,
                                  const std::vector<char>& claimed) {
  if (b0 < b1 && (!in_order(b0, b1) || !goes_on(a0, a1, b0, b1))) return;
  size_t cell = SIZE_MAX;  // where words go that the model left out
  if (a0 == a1) {
    if (words_.empty()) cell = 0;
    if (cells_known_) {
      cell = tokens_[b0].cell;
      const bool beside =
          (a0 > 0 && piece_of(a0 - 1) == cell) || (a0 < words_.size() && piece_of(a0) == cell);
      if (cell == SIZE_MAX || (!beside && pieces_[cell].count > 0)) return;
    }
    const bool between_cells = table_ && !cells_known_ &&
                               (a0 == 0 || a0 >= words_.size() || piece_of(a0 - 1) != piece_of(a0));
    if (between_cells || a0 < skipped_) return;
    if (block_->kind == RegionKind::code && !is_word_of_line(a0, b0, b1)) return;
    const bool marks = std::all_of(tokens_.begin() + ptrdiff_t(b0), tokens_.begin() + ptrdiff_t(b1),
                                   [](const PageToken& token) { return is_bullet(token.text); });
    if (marks) return;
    for (size_t b = b0; b < b1; ++b)
      for (const int word : tokens_[b].words)
        if (claimed[size_t(word)]) return;
  }
  Difference difference = described(a0, a1, b0, b1);
  difference.cell = cell;
  if (b0 == b1 || tokens_[b0].inside || tokens_[b1 - 1].inside || difference.alike)
    differences_.push_back(std::move(difference));
}

/// Whether one short word and one token stand between equal ones on a line: "I" for "1".
bool BlockLetters::alone(size_t i) const {
  const WordMatch& match = matches_[i];
  constexpr size_t kShort = 4;
  if (match.a1 != match.a0 + 1 || match.b1 != match.b0 + 1) return false;
  if (i == 0 || i + 1 >= matches_.size()) return false;
  if (tokens_[match.b0].aligned.key.size() > kShort ||
      fold(words_[match.a0].letters).size() > kShort)
    return false;
  const auto near = [&](const WordMatch& other, size_t b) {
    return other.equal() && tokens_[b].line == tokens_[match.b0].line;
  };
  return near(matches_[i - 1], match.b0 - 1) && near(matches_[i + 1], match.b1);
}

/// The table's cell that a match is of; 0 where the page's words do not tell.
size_t BlockLetters::cell_of(const WordMatch& match) const {
  if (!cells_known_) return 0;
  return match.a1 > match.a0 ? piece_of(match.a0) : tokens_[match.b0].cell;
}

/// Aligns each cell of a table with the tokens that lie in it, where the block's words tell the
/// lines between rows and columns.
bool BlockLetters::place_in_cells() {
  std::vector<size_t> votes(tokens_.size(), SIZE_MAX);
  size_t equal = 0;
  for (const WordMatch& match : matches_)
    for (size_t b = match.b0; match.equal() && b < match.b1; ++b) votes[b] = piece_of(match.a0);
  for (const WordMatch& match : matches_) equal += match.equal();
  std::vector<PageToken> tokens = tokens_;
  if (2 * equal < words_.size() || !order_by_cells(cell_places(*table_), votes, tokens))
    return false;
  const std::vector<AlignedWord> all = aligned();
  std::vector<WordMatch> matches;
  size_t b = 0, now_equal = 0;
  const auto alone = [&](size_t a) {
    for (; b < tokens.size() && tokens[b].cell == SIZE_MAX; ++b)
      matches.push_back({a, a, b, b + 1, 1});
  };
  for (size_t i = 0; i < pieces_.size(); ++i) {
    const Piece& piece = pieces_[i];
    alone(piece.first);
    size_t end = b;
    std::vector<AlignedWord> page;
    for (; end < tokens.size() && tokens[end].cell == i; ++end) page.push_back(tokens[end].aligned);
    for (WordMatch match : align_words(std::span(all).subspan(piece.first, piece.count), page)) {
      now_equal += match.equal();
      matches.push_back({match.a0 + piece.first, match.a1 + piece.first, match.b0 + b, match.b1 + b,
                         match.distance});
    }
    b = end;
  }
  alone(words_.size());
  if (now_equal < equal) return false;
  tokens_ = std::move(tokens);
  matches_ = std::move(matches);
  cells_known_ = true;
  return true;
}

/// Pairs words of a table that the order of its lines has left without a token with tokens that no
/// word has: cells of several lines are read one after the other, the page line by line.
void BlockLetters::pair_moved() {
  const auto lone_word = [](const WordMatch& m) { return m.a1 == m.a0 + 1 && m.b1 == m.b0; };
  const auto lone_token = [](const WordMatch& m) { return m.a1 == m.a0 && m.b1 == m.b0 + 1; };
  const auto pair = [&](double most) {
    for (WordMatch& word : matches_) {
      if (!lone_word(word) || words_[word.a0].fixed) continue;
      const std::u32string key = fold(words_[word.a0].letters);
      auto best = matches_.end();
      double least = most, second = 2;
      for (auto token = matches_.begin(); token != matches_.end(); ++token) {
        if (!lone_token(*token) || !tokens_[token->b0].inside) continue;
        const double distance = letter_distance(key, tokens_[token->b0].aligned.key);
        if (distance <= least && (distance < least || best == matches_.end()))
          second = best == matches_.end() ? 2 : least, least = distance, best = token;
        else
          second = std::min(second, distance);
      }
      if (best == matches_.end() || (least > 0 && second <= kAlike)) continue;
      word.b0 = best->b0, word.b1 = best->b1, word.distance = least;
      moved_.push_back(word.a0);
      *best = {};  // empty on both sides
    }
    std::erase_if(matches_, [](const WordMatch& m) { return m.a0 == m.a1 && m.b0 == m.b1; });
  };
  pair(0);
  pair(0.34);
}

bool BlockLetters::is_moved(const WordMatch& match) const {
  return match.a1 > match.a0 && std::find(moved_.begin(), moved_.end(), match.a0) != moved_.end();
}

/// The differences of matches [from, to), none of which is equal.
void BlockLetters::add_gap(size_t from, size_t to, const std::vector<char>& claimed) {
  const size_t a0 = matches_[from].a0, a1 = matches_[to - 1].a1;
  const size_t b0 = matches_[from].b0, b1 = matches_[to - 1].b1;
  bool pairs = true, formula = false, doubted = false;
  size_t tokens = 0;  // fewer than b1 - b0 where some of them have moved
  for (size_t i = from; i < to; ++i) {
    pairs &= matches_[i].a1 > matches_[i].a0 && matches_[i].b1 > matches_[i].b0;
    tokens += matches_[i].b1 - matches_[i].b0;
  }
  std::u32string model, page;
  for (size_t a = a0; a < a1; ++a) {
    formula |= words_[a].formula;
    model += fold(words_[a].letters);
  }
  for (size_t b = b0; b < b1; ++b) {
    page += tokens_[b].aligned.key;
    doubted |= !tokens_[b].doubt.empty();
  }
  const bool beside_formula =
      formula || (a0 > 0 && words_[a0 - 1].formula) || (a1 < words_.size() && words_[a1].formula);
  // In tables, where lines of neighbouring cells may be out of order, only readings that are alike
  // are of one place.
  const bool free_order = table_ && !cells_known_;
  const bool one_text = free_order ? a0 == a1 || letter_distance(model, page) <= kAlike
                                   : model.size() <= 3 * page.size() + 8;
  const bool lacking = a0 < a1 && b0 < b1 && (!one_text || lacks_words(b0, b1));
  const bool whole = !pairs && !beside_formula && !doubted && same_place(a0, a1) && one_text &&
                     tokens == b1 - b0 && !lacking;
  if (whole) return add_difference(a0, a1, b0, b1, claimed);
  for (size_t i = from; i < to; ++i) {
    const WordMatch& match = matches_[i];
    const bool pair = match.a1 > match.a0 && match.b1 > match.b0;
    if (!same_place(match.a0, match.a1)) continue;
    // Between words without a counterpart only those that are nearly the same are of one place.
    const bool beside =
        !lacking || (i == from && from > 0) || (i + 1 == to && to < matches_.size());
    const bool alike = pair && match.distance <= (beside ? kAlike : kNearlyTheSame);
    if (beside_formula && !alike) continue;
    if (pair && !alike && !beside) continue;
    if (free_order && !alike && match.b1 > match.b0 && !(from + 1 == to && alone(from))) continue;
    add_difference(match.a0, match.a1, match.b0, match.b1, claimed);
  }
}

void BlockLetters::find_differences(const std::vector<char>& claimed, const PageImage* image,
                                    WordSource source) {
  if (!from_model()) return;
  image_ = image;
  layer_ = source == WordSource::document;
  const auto foreign = [&](const WordMatch& match) {
    if (match.a1 > match.a0) return false;
    for (size_t b = match.b0; b < match.b1; ++b) {
      if (!tokens_[b].inside) return true;
      for (const int word : tokens_[b].words)
        if (claimed[size_t(word)]) return true;
    }
    return false;
  };
  const auto parts = [&](const WordMatch& match) {
    const bool leader = match.a1 == match.a0 + 1 && match.b1 == match.b0 && words_[match.a0].leader;
    return match.equal() || is_moved(match) || leader || foreign(match);
  };
  for (size_t i = 0; i < matches_.size();) {
    const WordMatch& match = matches_[i];
    if (is_moved(match) && !match.equal())
      add_difference(match.a0, match.a1, match.b0, match.b1, claimed);
    if (parts(match)) {
      ++i;
      continue;
    }
    size_t end = i + 1;
    while (end < matches_.size() && !parts(matches_[end]) &&
           cell_of(matches_[end]) == cell_of(match))
      ++end;
    add_gap(i, end, claimed);
    i = end;
  }
  if (!mostly_elsewhere()) return;
  for (Difference& difference : differences_) {
    difference.elsewhere = true;
    if (box_.empty()) difference.doubt = "the block's place is not known";
  }
}

}  // namespace docspec
