#include "drafts/layout/drawing_finder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <utility>

#include "core/base/median.h"
#include "core/text/unicode.h"
#include "drafts/grid/cell_text.h"
#include "drafts/grid/ruled_table.h"
#include "drafts/grid/ruling_lines.h"
#include "drafts/layout/drawn_tables.h"
#include "drafts/layout/text_openings.h"
#include "drafts/lines/font_style.h"
#include "drafts/lines/line_text.h"

namespace docspec {
namespace {

/// How the rows of pixels of a box look in which no word stands, without rules and its edge.
struct Look {
  double rows = 0;   ///< share of the pixels that this is
  double paper = 0;  ///< share of the most frequent shade; none of a dark one
  double drawn = 0;  ///< share of what differs clearly from that
  double high = 0;   ///< rows of pixels in a row that have such, in pixels of the frame
};

/// The pixels of an image that lie in a box and in none of the parts that are taken out of it.
class Rest {
 public:
  Rest(const PageImage& image, const Box& box, int grown, double scale)
      : image_(image),
        scale_(scale),
        seen_(intersect(in_image(box, grown), {0, 0, image.width_px(), image.height_px()})),
        left_(seen_.empty() ? 0 : size_t(seen_.area()), 1) {}

  const Box& seen() const { return seen_; }
  bool has(int x, int y) const {
    return left_[size_t(y - seen_.y0) * size_t(seen_.width()) + size_t(x - seen_.x0)];
  }
  int shade(int x, int y) const { return image_.row(y)[3 * x + 1]; }

  /// A box of the frame in pixels of the image, `grown` by as many.
  Box in_image(const Box& box, int grown) const {
    const auto px = [&](double v) { return int(v / scale_); };
    return {px(box.x0) - grown, px(box.y0) - grown, px(box.x1) + grown, px(box.y1) + grown};
  }

  void take_out(const Box& part) {
    const Box own = intersect(part, seen_);
    for (int y = own.y0; y < own.y1; ++y)
      std::fill_n(left_.begin() + std::ptrdiff_t(y - seen_.y0) * seen_.width() + own.x0 - seen_.x0,
                  std::max(0, own.width()), 0);
  }

  void take_out(const RulingLines& rules, int grown) {
    for (const auto* lines : {&rules.across, &rules.down})
      for (const Box& rule : *lines) take_out(in_image(rule, grown));
  }

 private:
  const PageImage& image_;
  double scale_;
  Box seen_;
  std::vector<uint8_t> left_;
};

Look look_at(const PageImage& image, const Box& box, std::span<const Word> words,
             const RulingLines& rules, double scale) {
  constexpr int kSame = 24, kDrawn = 40, kLight = 180;  // shades
  constexpr int kStep = 2;                              // pixels; a sample will do
  Rest rest(image, box, -int(image.dpi() / 8), scale);
  const Box& seen = rest.seen();
  if (seen.empty()) return {};
  for (const Word& word : words) {
    // A bar has a margin.
    Box part = rest.in_image(word.box, int(word.box.height() / scale) / 3);
    if (intersect(part, seen).empty()) continue;
    if (word.quarter_turns % 2 == 0) part.x0 = seen.x0, part.x1 = seen.x1;
    rest.take_out(part);
  }
  rest.take_out(rules, 2);
  std::array<size_t, 256> shades{};
  size_t all = 0, samples = 0;
  for (int y = seen.y0; y < seen.y1; y += kStep)
    for (int x = seen.x0; x < seen.x1; x += kStep, ++samples)
      if (rest.has(x, y)) ++shades[size_t(rest.shade(x, y))], ++all;
  const int usual = int(std::max_element(shades.begin(), shades.end()) - shades.begin());
  Look look{.rows = double(all) / double(samples)};
  for (int shade = 0; shade < 256; ++shade) {
    const double share = double(shades[size_t(shade)]) / double(std::max<size_t>(1, all));
    if (usual >= kLight && std::abs(shade - usual) <= kSame) look.paper += share;
    if (std::abs(shade - usual) > kDrawn) look.drawn += share;
  }
  for (int y = seen.y0, from = y; y < seen.y1; ++y) {
    bool drawn = false;
    for (int x = seen.x0; x < seen.x1 && !drawn; ++x)
      drawn = rest.has(x, y) && std::abs(rest.shade(x, y) - usual) > kDrawn;
    if (!drawn) from = y + 1;
    look.high = std::max(look.high, scale * (y + 1 - from));
  }
  return look;
}

size_t cjk_of(const TextLine& line, std::span<const Word> words) {
  size_t cjk = 0;
  for (const int i : line.words) cjk += count_cjk(words[size_t(i)].text);
  return cjk;
}

/// Prose in any script: Chinese has few words, but many letters in one.
bool is_long(const TextLine& line, std::span<const Word> words) {
  constexpr size_t kLeastCjk = 12;
  return is_prose(line) || cjk_of(line, words) >= kLeastCjk;
}

/// Some Chinese letters with a stop among them, which labels have not.
bool has_stop(const TextLine& line, std::span<const Word> words) {
  constexpr size_t kLeastCjk = 6;
  return cjk_of(line, words) >= kLeastCjk &&
         std::any_of(line.words.begin(), line.words.end(), [&](int i) {
           const std::string& text = words[size_t(i)].text;
           return text.find("，") != text.npos || text.find("。") != text.npos;
         });
}

/// Drawings of a scan, without captions: large pieces of strokes on paper with no line of prose
/// among them, and what is drawn and written beside.
class DrawingFinder {
 public:
  DrawingFinder(const PageInput& page, const std::vector<TextLine>& lines,
                std::vector<InkMap::Piece> pieces)
      : page_(page), lines_(lines), pieces_(std::move(pieces)) {
    std::vector<double> sizes;
    for (const TextLine& line : lines) sizes.push_back(line.size_px);
    em_ = sizes.empty() ? page.dpi / 7.2 : median(std::move(sizes));
    for (const TextLine& line : lines)
      if (is_long(line, page.words)) prose_.push_back(line.box);
  }

  std::vector<Box> find() const {
    constexpr double kLeastSide = 30, kLeastArea = 0.015, kMostArea = 0.7;  // points; of the page
    const double point = page_.dpi / 72, area = double(page_.width_px) * page_.height_px;
    std::vector<Box> found;
    std::optional<RulingLines> rules;
    std::optional<std::vector<RuledTable>> tables;
    for (const InkMap::Piece& piece : pieces_) {
      const Box& box = piece.box;
      if (std::min(box.width(), box.height()) < kLeastSide * point ||
          double(box.area()) < kLeastArea * area || double(box.area()) > kMostArea * area ||
          holds_prose(box))
        continue;
      if (!rules) rules = find_rules(page_), tables = find_worded_tables(page_, *rules, em_);
      const double scale = double(page_.width_px) / page_.image->width_px();
      const Look look = look_at(*page_.image, box, page_.words, *rules, scale);
      if (look.rows < kLeastRows || look.paper < kLeastPaper || look.drawn < kLeastDrawn ||
          look.high < kLeastHigh * em_ || text_share(box) > kMostText ||
          is_of_table(box, *tables) || are_cells(box, lines_))
        continue;
      found.push_back(with_labels(grown(box)));
    }
    join_pictures(found, 0, [&](const Box& box) { return !holds_prose(box); });
    std::erase_if(found, [&](const Box& box) { return holds_most_text(box) || holds_steps(box); });
    return found;
  }

 private:
  static constexpr double kLeastRows = 0.2, kLeastPaper = 0.4, kLeastDrawn = 0.01, kMostText = 0.25;
  static constexpr double kLeastHigh = 0.4;  // font sizes: a row of dashes is lower

  bool holds_prose(const Box& box) const {
    return std::any_of(prose_.begin(), prose_.end(), [&](const Box& line) {
      const Box shared = intersect(line, box);
      return shared.width() > em_ && 2 * shared.height() > line.height();
    });
  }

  /// A solution with its drawing, in a frame or on shade.
  bool holds_steps(const Box& box) const {
    constexpr std::ptrdiff_t kLeast = 2;
    return std::count_if(lines_.begin(), lines_.end(), [&](const TextLine& line) {
             return holds_middle(box, line.box) && has_stop(line, page_.words);
           }) >= kLeast;
  }

  /// A logo, or a page that is one drawing.
  bool holds_most_text(const Box& box) const {
    size_t inside = 0, all = 0;
    for (const Word& word : page_.words) {
      const size_t letters = count_code_points(word.text);
      all += letters;
      if (holds_middle(box, word.box)) inside += letters;
    }
    return inside * 2 > all;
  }

  double text_share(const Box& box) const {
    double area = 0;
    for (const Word& word : page_.words) area += double(intersect(word.box, box).area());
    return area / double(box.area());
  }

  /// With the pieces near it.
  Box grown(Box box) const {
    const int reach = int(1.5 * em_);
    const double least = page_.dpi / 9;  // 8 points
    for (bool again = true; again;) {
      again = false;
      for (const InkMap::Piece& piece : pieces_) {
        const Box near{box.x0 - reach, box.y0 - reach, box.x1 + reach, box.y1 + reach};
        const Box all = unite(box, piece.box);
        if (all == box || intersect(near, piece.box).empty() || holds_prose(all) ||
            std::min(piece.box.width(), piece.box.height()) < least)
          continue;
        box = all;
        again = true;
      }
    }
    return box;
  }

  /// With the short lines that reach into it, or stand right at its side or in a row along it. A
  /// line of formulas may have few words and be wider than the drawing.
  Box with_labels(Box box) const {
    constexpr size_t kLong = 12;  // characters
    const Box drawn = box;
    for (const TextLine& line : lines_) {
      const Box all = unite(box, line.box);
      const bool wide = line.chars >= kLong && line.box.width() > drawn.width();
      if (all == box || wide || holds_prose(all) || names_figure(line, page_.words)) continue;
      const Box near{drawn.x0 - int(1.5 * em_), drawn.y0, drawn.x1 + int(1.5 * em_), drawn.y1};
      if (holds_middle(near, {line.box.x0, line.box.y0, line.box.x0 + 1, line.box.y1}) ||
          holds_middle(near, {line.box.x1 - 1, line.box.y0, line.box.x1, line.box.y1}) ||
          is_of_row(line, drawn))
        box = all;
    }
    return box;
  }

  bool is_of_row(const TextLine& line, const Box& box) const {
    const auto along = [&](const Box& other) {
      return other.x0 >= box.x0 && other.x1 <= box.x1 && other.y0 < box.y1 + em_ &&
             other.y1 > box.y0 - em_;
    };
    return along(line.box) && std::any_of(lines_.begin(), lines_.end(), [&](const TextLine& other) {
             return &other != &line && along(other.box) && row_overlap(other.box, line.box) > 0.5;
           });
  }

  const PageInput& page_;
  const std::vector<TextLine>& lines_;
  std::vector<InkMap::Piece> pieces_;
  std::vector<Box> prose_;
  double em_ = 1;
};

}  // namespace

bool is_prose(const TextLine& line) {
  constexpr size_t kLeastWords = 6, kLeastChars = 30;
  return line.words.size() >= kLeastWords && line.chars >= kLeastChars;
}

double free_strokes(const PageInput& page, const Box& box, const RulingLines& rules) {
  constexpr int kDrawn = 40;  // shades
  const double scale = double(page.width_px) / page.image->width_px();
  Rest rest(*page.image, box, 0, scale);
  const Box& seen = rest.seen();
  for (const Word& word : page.words)
    rest.take_out(rest.in_image(word.box, std::min(word.box.width(), word.box.height()) / 6 + 1));
  if (page.formulas)
    for (const PageFormula& formula : *page.formulas) rest.take_out(rest.in_image(formula.box, 1));
  rest.take_out(rules, 3);
  size_t edges = 0;
  for (int y = seen.y0; y + 1 < seen.y1; ++y)
    for (int x = seen.x0; x + 1 < seen.x1; ++x)
      edges += rest.has(x, y) && (std::abs(rest.shade(x + 1, y) - rest.shade(x, y)) > kDrawn ||
                                  std::abs(rest.shade(x, y + 1) - rest.shade(x, y)) > kDrawn);
  return double(edges) * 72 / page.image->dpi();
}

bool is_freely_drawn(const PageInput& page, const Box& box, const RulingLines& rules) {
  constexpr double kLeast = 300, kLeastSpread = 1.2;  // points; of the side of a square as large
  const double side = std::sqrt(double(box.area())) * 72 / page.dpi;
  return free_strokes(page, box, rules) > std::max(kLeast, kLeastSpread * side);
}

std::vector<Box> find_framed_drawings(const PageInput& page, const std::vector<TextLine>& lines) {
  constexpr double kLeastSpread = 2;  // a table with rules may hold signs and small pictures
  if (!are_rendered(page.words) || lines.empty()) return {};
  const RulingLines rules = find_rules(page);
  const double em = lines.front().size_px;
  const auto worded = find_worded_tables(page, rules, em);
  std::vector<Box> words, drawings;
  for (const Word& word : page.words) words.push_back(word.box);
  for (const RuledTable& table : find_ruled_tables(rules, em)) {
    const double side = std::sqrt(double(table.box.area())) * 72 / page.dpi;
    if (!holds_text(table, words) || is_of_table(table.box, worded) ||
        !is_freely_drawn(page, table.box, rules) ||
        free_strokes(page, table.box, rules) < kLeastSpread * side)
      continue;
    Box drawing = table.box;  // below its title
    for (const TextLine& line : lines)
      if (is_prose(line) && holds_middle(drawing, line.box) &&
          line.box.y0 - drawing.y0 < line.box.height())
        drawing.y0 = line.box.y1;
    const bool text = std::any_of(lines.begin(), lines.end(), [&](const TextLine& line) {
      return is_prose(line) && holds_middle(drawing, line.box);
    });
    if (!text) drawings.push_back(drawing);
  }
  return drawings;
}

bool is_drawing(const PageInput& page, const Box& table, const RulingLines& rules) {
  constexpr double kAcross = 0.6;  // of the table's width
  if (!are_rendered(page.words) || !page.image || page.image->empty()) return false;
  const bool ruled = std::any_of(rules.across.begin(), rules.across.end(), [&](const Box& rule) {
    return intersect(rule, table).width() > kAcross * table.width();
  });
  return !ruled && is_freely_drawn(page, table, rules);
}

bool names_figure(const TextLine& line, std::span<const Word> words) {
  if (line.words.size() < 2 || line.quarter_turns != 0) return false;
  const std::string text = line_text(words, line.words);
  return (text.starts_with("Fig") || text.starts_with("FIG")) && opens_caption(text);
}

bool are_cells(const Box& box, const std::vector<TextLine>& lines) {
  constexpr std::ptrdiff_t kLeastPairs = 4, kLeastTriples = 3;
  constexpr double kLeastShare = 0.05;
  std::vector<Box> inside;
  double share = 0;
  for (const TextLine& line : lines)
    if (holds_middle(box, line.box)) {
      inside.push_back(line.box);
      share += double(line.box.area()) / double(std::max<int64_t>(1, box.area()));
    }
  if (share < kLeastShare) return false;
  const auto rows = group_rows(inside);
  const auto count = [&](size_t least) {
    return std::count_if(rows.begin(), rows.end(),
                         [&](const auto& row) { return row.size() >= least; });
  };
  return count(2) >= kLeastPairs || count(3) >= kLeastTriples;
}

void join_pictures(std::vector<Box>& pictures, int near_px,
                   const std::function<bool(const Box&)>& may) {
  for (bool again = true; again;) {
    again = false;
    for (size_t i = 0; i < pictures.size() && !again; ++i)
      for (size_t j = i + 1; j < pictures.size() && !again; ++j) {
        const Box grown{pictures[i].x0 - near_px, pictures[i].y0 - near_px,
                        pictures[i].x1 + near_px, pictures[i].y1 + near_px};
        if (intersect(grown, pictures[j]).empty() || !may(unite(pictures[i], pictures[j])))
          continue;
        pictures[i] = unite(pictures[i], pictures[j]);
        pictures.erase(pictures.begin() + std::ptrdiff_t(j));
        again = true;
      }
  }
}

InkMap ink_between_words(const PageInput& page) {
  InkMap ink(*page.image, double(page.width_px) / page.image->width_px());
  const int cell = int(3 * page.dpi / 72);  // by which the map takes more ink away than it is told
  std::vector<Box> words;
  for (const Word& word : page.words)
    words.push_back({word.box.x0 + cell, word.box.y0 + cell,
                     std::max(word.box.x0 + cell + 1, word.box.x1 - cell),
                     std::max(word.box.y0 + cell + 1, word.box.y1 - cell)});
  ink.erase(words);
  return ink;
}

std::vector<Box> find_drawings(const PageInput& page, const std::vector<TextLine>& lines,
                               const InkMap& ink) {
  constexpr double kMostInk = 0.6;  // of a page; more is a dark ground, not strokes
  if (ink.share() >= kMostInk) return {};
  return DrawingFinder(page, lines, ink.pieces()).find();
}

}  // namespace docspec
