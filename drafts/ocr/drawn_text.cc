#include "drafts/ocr/drawn_text.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>
#include <span>
#include <string_view>
#include <utility>

#include "core/base/median.h"
#include "core/page/pix_ptr.h"
#include "core/text/unicode.h"
#include "drafts/lines/font_style.h"
#include "drafts/lines/text_lines.h"

namespace docspec {
namespace {

constexpr int kDrawnDark = 160;       // a watermark is lighter
constexpr double kNear = 0.8;         // em, from a formula to the words of its line
constexpr double kWithin = 1.2;       // em, from one piece of a formula to the next: a thin minus
constexpr double kHighest = 1.6;      // of a row's height
constexpr size_t kMostPieces = 3000;  // a photograph has more

/// A row of the layer's words, and what is drawn in it.
struct DrawnRow {
  std::vector<int> words;  // from left to right
  Box box;
  size_t bytes = 0;  // of its words
  std::vector<Box> ink;
};

/// A piece, and whether a word stands near at either side.
struct FoundPiece {
  DrawnText::Piece piece;
  bool between = false;
};

Box scaled(const Box& box, double scale) {
  return {int(box.x0 * scale), int(box.y0 * scale), int(box.x1 * scale) + 1,
          int(box.y1 * scale) + 1};
}

double gap(int a0, int a1, int b0, int b1) {
  return std::max({0, b0 - a1, a0 - b1});
}

/// Whether ink at the side of a word's box goes on within it: a letter that the box does not hold.
bool goes_on_in(const PageImage& image, const Box& piece, const Box& word) {
  const Box grown = {piece.x0 - 1, piece.y0 - 1, piece.x1 + 1, piece.y1 + 1};
  const Box edge = intersect(intersect(grown, word), {0, 0, image.width_px(), image.height_px()});
  for (int y = edge.y0; y < edge.y1; ++y)
    for (int x = edge.x0; x < edge.x1; ++x)
      if (image.row(y)[size_t(x) * 3 + 1] < kDrawnDark) return true;
  return false;
}

/// The dark pieces that are neither of words nor frames around them, in pixels of the frame.
std::vector<Box> ink_beside_words(const PageInput& page, std::span<const Box> known) {
  const double scale = double(page.width_px) / page.image->width_px();
  const PixPtr dark = dark_pixels(*page.image, kDrawnDark);
  if (!dark) return {};
  constexpr double kInset = 0.08;  // of a box's height: what stands close may reach into it
  std::vector<Box> words, inner;
  for (const Word& word : page.text_layer) {
    words.push_back(scaled(word.box, 1 / scale));
    inner.push_back(words.back());
    const int inset = 1 + int(kInset * words.back().height());
    inner.back().x0 += inset;
    inner.back().x1 = std::max(inner.back().x0 + 1, inner.back().x1 - inset);
  }
  clear_boxes(dark.get(), inner);
  std::vector<Box> of_words;
  for (const Box& box : known) of_words.push_back(scaled(box, 1 / scale));
  clear_boxes(dark.get(), of_words);
  std::vector<Box> pieces = boxes_of_pieces(dark.get());
  if (pieces.size() > kMostPieces) return {};
  std::erase_if(pieces, [&](const Box& piece) {
    for (size_t i = 0; i < words.size(); ++i) {
      const int x = (words[i].x0 + words[i].x1) / 2, y = (words[i].y0 + words[i].y1) / 2;
      const bool frames = x > piece.x0 && x < piece.x1 && y > piece.y0 && y < piece.y1;
      const bool covered = intersect(words[i], piece).area() * 2 > piece.area();
      if (frames || covered || goes_on_in(*page.image, piece, inner[i])) return true;
    }
    return false;
  });
  for (Box& piece : pieces) piece = scaled(piece, scale);
  return pieces;
}

std::vector<DrawnRow> rows_of(std::span<const Word> words) {
  std::vector<Box> boxes;
  std::vector<int> upright;
  for (size_t i = 0; i < words.size(); ++i)
    if (words[i].quarter_turns == 0) boxes.push_back(words[i].box), upright.push_back(int(i));
  std::vector<DrawnRow> rows;
  for (const std::vector<int>& row : group_rows(boxes)) {
    rows.emplace_back();
    for (const int i : row) {
      rows.back().words.push_back(upright[size_t(i)]);
      rows.back().box = unite(rows.back().box, boxes[size_t(i)]);
      rows.back().bytes += words[size_t(upright[size_t(i)])].text.size();
    }
    std::sort(rows.back().words.begin(), rows.back().words.end(),
              [&](int a, int b) { return words[size_t(a)].box.x0 < words[size_t(b)].box.x0; });
  }
  return rows;
}

/// Whether a piece may be of a letter or a bar in a row of this height, and no rule or drawing.
bool is_letter(const Box& piece, double height) {
  const bool rule = piece.height() < 0.2 * height && piece.width() > 3 * height;
  return !rule && piece.height() < kHighest * height && piece.width() < 3 * height;
}

/// Gives each row the pieces in it; the others remain.
std::vector<Box> deal(std::vector<Box> pieces, std::vector<DrawnRow>& rows) {
  std::erase_if(pieces, [&](const Box& piece) {
    DrawnRow* home = nullptr;
    double nearest = 0;
    for (DrawnRow& row : rows) {
      const double height = row.box.height();
      const double off = std::abs((piece.y0 + piece.y1) - (row.box.y0 + row.box.y1)) / 2.0;
      if (off > 0.6 * height || !is_letter(piece, height) || (home && off >= nearest)) continue;
      home = &row;
      nearest = off;
    }
    if (home) home->ink.push_back(piece);
    return home != nullptr;
  });
  return pieces;
}

/// The pieces of a row that words lead to, neighbours as one; the others remain in the row's ink.
std::vector<FoundPiece> beside_words(DrawnRow& row, std::span<const Word> words) {
  const double em = row.box.height();
  std::sort(row.ink.begin(), row.ink.end(), [](const Box& a, const Box& b) { return a.x0 < b.x0; });
  std::vector<FoundPiece> found;
  std::vector<Box> alone;
  for (size_t from = 0, to = 0; from < row.ink.size(); from = to) {
    Box box = row.ink[from];
    const auto after = std::find_if(row.words.begin(), row.words.end(), [&](int i) {
      return words[size_t(i)].box.x0 + words[size_t(i)].box.x1 > box.x0 + box.x1;
    });
    const int limit = after == row.words.end() ? INT32_MAX : words[size_t(*after)].box.x0;
    for (to = from + 1; to < row.ink.size(); ++to) {
      const Box& next = row.ink[to];
      if (next.x0 - box.x1 > kWithin * em || next.x0 >= limit) break;
      box = unite(box, next);
    }
    const double left =
        after == row.words.begin() ? 1e9 : double(box.x0 - words[size_t(*std::prev(after))].box.x1);
    const double right = after == row.words.end() ? 1e9 : double(limit - box.x1);
    const bool opens = left > kNear * em;  // a bullet or a box to tick, where it is small
    const bool mark = opens && box.width() < 1.2 * em;
    int highest = 0;
    for (size_t i = from; i < to; ++i) highest = std::max(highest, row.ink[i].height());
    const bool sliver = highest < 0.25 * em || box.width() < 0.18 * em;
    if (std::min(left, right) > kNear * em || mark || sliver) {
      alone.insert(alone.end(), row.ink.begin() + std::ptrdiff_t(from),
                   row.ink.begin() + std::ptrdiff_t(to));
      continue;
    }
    const Box ink = box;
    box.y0 = std::min(box.y0, row.box.y0);
    box.y1 = std::max(box.y1, row.box.y1);
    found.push_back({opens ? DrawnText::Piece{box, *after, true, ink}
                           : DrawnText::Piece{box, *std::prev(after), false, ink},
                     std::max(left, right) <= kNear * em});
  }
  row.ink = std::move(alone);
  return found;
}

/// Gives what stands above, below and close beside a piece to the nearest: the parts of fractions,
/// limits of sums, tall brackets.
void take_in(std::vector<DrawnText::Piece>& pieces, std::vector<Box>& rest, double em) {
  constexpr double kClose = 0.3, kTallest = 4;  // em
  for (bool grown = true; grown;) {
    grown = false;
    std::erase_if(rest, [&](const Box& part) {
      DrawnText::Piece* home = nullptr;
      double nearest = 0;
      for (DrawnText::Piece& piece : pieces) {
        const double x = gap(piece.ink.x0, piece.ink.x1, part.x0, part.x1);
        const double y = gap(piece.ink.y0, piece.ink.y1, part.y0, part.y1);
        if (x > kClose * em || y > kClose * em || part.height() > kTallest * em ||
            (home && x + y >= nearest))
          continue;
        home = &piece;
        nearest = x + y;
      }
      if (home) home->ink = unite(home->ink, part);
      grown |= home != nullptr;
      return home != nullptr;
    });
  }
}

/// Pieces near each other as one block, with the number of letters in it.
std::vector<std::pair<Box, int>> blocks_of(std::vector<Box> pieces, double em) {
  std::sort(pieces.begin(), pieces.end(), [](const Box& a, const Box& b) { return a.y0 < b.y0; });
  std::vector<std::pair<Box, int>> blocks;
  for (const Box& piece : pieces) {
    std::pair<Box, int> block{piece, piece.height() > 0.25 * em ? 1 : 0};
    for (size_t i = 0; i < blocks.size();) {
      const Box& other = blocks[i].first;
      if (gap(block.first.x0, block.first.x1, other.x0, other.x1) > 1.5 * em ||
          gap(block.first.y0, block.first.y1, other.y0, other.y1) > 0.4 * em) {
        ++i;
        continue;
      }
      block = {unite(block.first, other), block.second + blocks[i].second};
      blocks.erase(blocks.begin() + std::ptrdiff_t(i));
      i = 0;
    }
    blocks.push_back(block);
  }
  return blocks;
}

bool reads_like_formula(std::string_view text) {
  static constexpr std::string_view kRelations[] = {"=", "<", ">", "≤", "≥", "∈", "→",
                                                    "⇒", "⇔", "≈", "∼", "⊂", "⊆", "↦"};
  size_t cjk = 0;
  for (size_t at = 0; at < text.size();) cjk += is_cjk(next_code_point(text, at));
  constexpr size_t kMostCjk = 3;
  return cjk <= kMostCjk &&
         std::any_of(std::begin(kRelations), std::end(kRelations),
                     [&](std::string_view sign) { return text.find(sign) != text.npos; });
}

/// A word in the font that most words have, but for those of code.
size_t usual_word(std::span<const Word> words) {
  std::map<std::pair<std::string_view, double>, size_t> count;
  size_t usual = 0, most = 0;
  for (size_t i = 0; i < words.size(); ++i) {
    if (font_style(words[i].font).mono) continue;
    if (const size_t now = ++count[{words[i].font, words[i].font_size_pt}]; now > most)
      most = now, usual = i;
  }
  return usual;
}

/// Whether a word begins with punctuation that no blank stands before.
bool closes(std::string_view word) {
  static constexpr std::string_view kClosing[] = {"，", "。", "、", "；", "：", "）",
                                                  ",",  ".",  ";",  ":",  ")"};
  return std::any_of(std::begin(kClosing), std::end(kClosing),
                     [&](std::string_view sign) { return word.starts_with(sign); });
}

/// Whether such punctuation stands right of a piece in its line.
bool is_closed(const Word& piece, std::span<const Word> words) {
  const int near = piece.box.height() / 2;
  return std::any_of(words.begin(), words.end(), [&](const Word& word) {
    return closes(word.text) && row_overlap(piece.box, word.box) > 0.5 &&
           word.box.x0 >= piece.box.x1 - near && word.box.x0 < piece.box.x1 + near;
  });
}

}  // namespace

DrawnText find_drawn_text(const PageInput& page, std::span<const Box> known) {
  constexpr int kLeastLines = 3, kLeastLetters = 3;
  constexpr size_t kTextBytes = 12;
  constexpr double kWidest = 3, kTallest = 8;  // em, of a piece of a formula: a large bracket
  DrawnText found;
  std::vector<DrawnRow> rows = rows_of(page.text_layer);
  std::vector<Box> rest = deal(ink_beside_words(page, known), rows);
  std::vector<DrawnText::Piece> sure;
  std::vector<int> heights;
  Box text;
  for (DrawnRow& row : rows) {
    const std::vector<FoundPiece> own = beside_words(row, page.text_layer);
    found.lines += std::any_of(own.begin(), own.end(), [](auto& one) { return !one.piece.before; });
    for (const FoundPiece& one : own) {
      found.pieces.push_back(one.piece);
      if (one.between && row.bytes >= kTextBytes) sure.push_back(one.piece);
    }
    heights.push_back(row.box.height());
    text = unite(text, row.box);
    rest.insert(rest.end(), row.ink.begin(), row.ink.end());
  }
  if (found.lines < kLeastLines) {
    found.pieces = std::move(sure);
    return found;
  }
  const double em = median(std::move(heights));
  take_in(found.pieces, rest, em);
  for (const auto& [block, letters] : blocks_of(rest, em)) {
    const bool drawing = std::any_of(rest.begin(), rest.end(), [&](const Box& piece) {
      const bool large = piece.height() > kTallest * em ||
                         (piece.width() > kWidest * em && piece.height() > 0.2 * em);
      return large && !intersect(piece, block).empty();
    });
    const bool beside_text = std::any_of(rows.begin(), rows.end(), [&](const DrawnRow& row) {
      return row.box.y0 < (block.y0 + block.y1) / 2 && row.box.y1 > (block.y0 + block.y1) / 2;
    });
    if (drawing || beside_text || letters < kLeastLetters || block.x0 < text.x0 + em) continue;
    if (block.height() < kHighest * em)
      found.pieces.push_back({block, -1, false, block});
    else
      found.higher.push_back(block);
  }
  return found;
}

DrawnRead add_drawn_text(std::vector<Word>& words, const std::vector<DrawnText::Piece>& pieces,
                         const std::vector<Draft>& read, double least_sure,
                         std::span<const std::string> latex) {
  constexpr int kMostRepeated = 5;  // one of so many
  std::vector<std::vector<Word>> before(words.size()), after(words.size());
  std::vector<Word> alone;
  const size_t usual = usual_word(words);
  DrawnRead done;
  int repeated = 0;
  for (size_t i = 0; i < pieces.size(); ++i) {
    const bool own_line = pieces[i].word < 0, formula = i < latex.size() && !latex[i].empty();
    const auto draft = std::find_if(read.begin(), read.end(), [&](const Draft& other) {
      return other.region == int(i) && !other.words.empty() && other.confidence >= least_sure;
    });
    if (!formula && (draft == read.end() || (own_line && !reads_like_formula(draft->text)))) {
      done.unread += !own_line;
      continue;
    }
    done.read += !own_line;
    Word word;
    word.formula = formula;
    if (formula) {
      word.text = "$" + latex[i] + "$";
    } else {
      for (const Word& part : draft->words) word.text += (word.text.empty() ? "" : " ") + part.text;
      word.confidence = draft->confidence;
    }
    word.box = pieces[i].box;
    word.space_after = !is_closed(word, words);
    const Word& neighbour = words[own_line ? usual : size_t(pieces[i].word)];
    if (!own_line)
      repeated += pieces[i].before ? neighbour.text.starts_with(word.text)
                                   : neighbour.text.ends_with(word.text);
    word.font = neighbour.font;
    word.font_size_pt = neighbour.font_size_pt;
    (pieces[i].word < 0 ? alone
     : pieces[i].before ? before[size_t(pieces[i].word)]
                        : after[size_t(pieces[i].word)])
        .push_back(std::move(word));
  }
  // The letters of words whose boxes lie beside their ink.
  if (repeated * kMostRepeated > done.read) return {};
  std::vector<Word> all;
  for (size_t i = 0; i < words.size(); ++i) {
    std::move(before[i].begin(), before[i].end(), std::back_inserter(all));
    all.push_back(std::move(words[i]));
    if (!after[i].empty()) {
      all.back().space_after = true;
      std::move(after[i].begin(), after[i].end(), std::back_inserter(all));
    }
  }
  std::move(alone.begin(), alone.end(), std::back_inserter(all));
  words = std::move(all);
  return done;
}

}  // namespace docspec
