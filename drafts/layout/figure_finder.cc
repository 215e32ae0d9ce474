#include "drafts/layout/figure_finder.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/median.h"
#include "core/text/unicode.h"
#include "drafts/grid/cell_text.h"
#include "drafts/grid/ruling_lines.h"
#include "drafts/layout/drawing_finder.h"
#include "drafts/layout/drawn_tables.h"
#include "drafts/layout/text_openings.h"
#include "drafts/lines/font_style.h"
#include "drafts/lines/line_text.h"

namespace docspec {
namespace {

/// Whether a short line ends the paragraph of the line of prose right above it.
bool ends_prose(const TextLine& line, const std::vector<TextLine>& lines) {
  const double em = line.size_px;
  return std::any_of(lines.begin(), lines.end(), [&](const TextLine& above) {
    const double pitch = line.middle() - above.middle();
    return is_prose(above) && above.size_px == em &&
           std::abs(line.box.x0 - above.box.x0) < em / 4 && line.box.x1 < above.box.x1 &&
           pitch > 0.7 * em && pitch < 1.5 * em;
  });
}

bool repeats_one_sign(std::string_view text) {
  size_t at = 0;
  for (const uint32_t first = next_code_point(text, at); at < text.size();)
    if (const uint32_t sign = next_code_point(text, at); sign != first && sign != ' ') return false;
  return true;
}

/// Looks for the figures that captions name.
class FigureFinder {
 public:
  FigureFinder(const PageInput& page, const std::vector<TextLine>& lines,
               const std::vector<InkMap::Piece>& pieces)
      : page_(page),
        lines_(lines),
        pieces_(pieces),
        point_(page.dpi / 72),
        scan_(are_of_ocr(page.words)),
        rules_(find_rules(page)) {
    constexpr int kLeastCells = 9;
    std::vector<double> sizes, widths;
    body_ = lines.front().size_px;
    for (const TextLine& line : lines)
      if (is_prose(line)) sizes.push_back(line.size_px), widths.push_back(line.box.width());
    if (!sizes.empty()) body_ = median(std::move(sizes)), width_ = median(std::move(widths));
    for (const TextLine& line : lines)
      if (is_running(line)) running_.push_back(line.box);
    tables_ = scan_ ? find_worded_tables(page, body_) : find_worded_tables(page, rules_, body_);
    for (const RuledTable& table : tables_)
      if (table.rows * table.columns >= kLeastCells && is_plain(table.box))
        running_.push_back(table.box);
    std::vector<TextLine> words = lines;  // not the dots of a plot
    std::erase_if(words, [&](const TextLine& line) {
      return repeats_one_sign(line_text(page.words, line.words));
    });
    for (const std::vector<Box>& stack : rule_stacks(rules_, page.height_px, body_)) {
      const Box table = unite(stack.front(), stack.back());
      if (are_cells(table, words) && is_plain(table)) running_.push_back(table);
    }
  }

  /// The figure above a caption or, where nothing is drawn there, below it; else an empty box. It
  /// stands in the caption's column, or may reach beyond that.
  Box find(const TextLine& caption) const {
    for (const bool above : {true, false})
      for (const bool in_column : {true, false}) {
        const Box wide = band_beside(caption, above);
        const Box band = in_column ? within_column(wide, caption) : wide;
        if (band.height() < 4 * caption.size_px) continue;
        const Drawn drawn = drawn_in(band, pieces_, point_);
        const bool apart = drawn.box.x0 >= caption.box.x1 || drawn.box.x1 <= caption.box.x0;
        if (drawn.box.empty() || (apart && !in_column)) continue;
        const bool free = is_free(drawn.box);
        if (free || (drawn.drawing && !holds_formula(drawn.box)))
          return with_labels(drawn.box, free, wide, band, caption);
      }
    return {};
  }

 private:
  bool is_small(const TextLine& line) const { return line.size_px < 0.93 * body_; }

  /// Prose, but for labels of several words: small or narrow ones within a drawing, and legends.
  bool is_running(const TextLine& line) const {
    constexpr double kNarrow = 0.75;  // of the page's prose
    constexpr std::ptrdiff_t kMostLines = 4;
    if (!is_prose(line)) return ends_prose(line, lines_);
    if (is_legend(line) || (is_small(line) && is_name(line))) return false;
    if (line.box.width() > kNarrow * width_) return true;
    const bool in_drawing =
        std::any_of(pieces_.begin(), pieces_.end(), [&](const InkMap::Piece& piece) {
          const auto holds = [&](const TextLine& own) {
            return is_prose(own) && intersect(own.box, piece.box) == own.box;
          };
          return holds(line) && std::count_if(lines_.begin(), lines_.end(), [&](const auto& own) {
                                  return holds(own) && !is_small(own);
                                }) <= kMostLines;
        });
    return !in_drawing;
  }

  /// Whether a line's words stand apart as the numbers of a scale do, or signs are drawn between
  /// them or before small ones: a legend's.
  bool is_legend(const TextLine& line) const {
    const double em = line.size_px;
    const auto box = [&](size_t i) { return page_.words[size_t(line.words[i])].box; };
    std::vector<Box> gaps;
    for (size_t i = 0; i + 1 < line.words.size(); ++i)
      if (box(i + 1).x0 - box(i).x1 > em)
        gaps.push_back({box(i).x1, line.box.y0, box(i + 1).x0, line.box.y1});
    if (gaps.size() + 1 == line.words.size()) return true;
    if (is_small(line))
      gaps.push_back({int(line.box.x0 - 2 * em), line.box.y0, line.box.x0, line.box.y1});
    return std::any_of(gaps.begin(), gaps.end(), [&](const Box& gap) {
      return std::any_of(pieces_.begin(), pieces_.end(), [&](const InkMap::Piece& piece) {
        return piece.box.height() < 1.5 * em && piece.box.width() > 0.8 * em &&
               row_overlap(piece.box, line.box) > 0.5 && piece.box.x1 > gap.x0 &&
               piece.box.x0 < gap.x1;
      });
    });
  }

  /// Whether a line is of numbers, or stands right above the middle of something that is drawn.
  bool is_name(const TextLine& line) const {
    constexpr double kLeastLetters = 0.4, kLeastSide = 60;  // points
    if (letter_share(line_text(page_.words, line.words)) < kLeastLetters) return true;
    const auto middle = [](const Box& box) { return (box.x0 + box.x1) / 2.0; };
    return std::any_of(pieces_.begin(), pieces_.end(), [&](const InkMap::Piece& piece) {
      const double gap = piece.box.y0 - line.box.y1, em = line.size_px;
      return std::min(piece.box.width(), piece.box.height()) > kLeastSide * point_ &&
             line.box.width() < piece.box.width() && gap > -em && gap < 1.5 * em &&
             std::abs(middle(line.box) - middle(piece.box)) < 0.1 * piece.box.width();
    });
  }

  /// The last line of a caption.
  int foot_of(const TextLine& caption) const {
    const TextLine* last = &caption;
    for (const TextLine& line : lines_)
      if (line.box.y0 > last->box.y0 && line.size_px == caption.size_px &&
          std::abs(line.box.x0 - caption.box.x0) < caption.size_px &&
          line.middle() - last->middle() < 1.5 * caption.size_px)
        last = &line;
    return last->box.y1;
  }

  bool opens_other(const TextLine& line, const TextLine& caption) const {
    return &line != &caption && opens_caption(line_text(page_.words, line.words));
  }

  bool names_source(const TextLine& line) const {
    return page_.words[size_t(line.words.front())].text.starts_with("Source");
  }

  /// The band above or below a caption, up to the text, table or caption that is nearest, and
  /// between the text at its sides.
  Box band_beside(const TextLine& caption, bool above) const {
    const Box& own = caption.box;
    const int foot = foot_of(caption);
    Box band{0, above ? 0 : foot, page_.width_px, above ? own.y0 : page_.height_px};
    const auto end_at = [&](const Box& line) {
      if (line.x0 >= own.x1 || line.x1 <= own.x0) return;
      if (above && line.y1 <= own.y0) band.y0 = std::max(band.y0, line.y1);
      if (!above && line.y0 >= foot) band.y1 = std::min(band.y1, line.y0);
    };
    for (const Box& line : running_) end_at(line);
    for (const TextLine& line : lines_)
      if (opens_other(line, caption)) end_at(line.box);
    for (const Box& line : running_) {
      if (line.y1 <= band.y0 || line.y0 >= band.y1) continue;
      if (line.x1 <= own.x0) band.x0 = std::max(band.x0, line.x1);
      if (line.x0 >= own.x1) band.x1 = std::min(band.x1, line.x0);
    }
    return band;
  }

  /// A band as wide as the caption's column, with what is drawn across its sides or is small and
  /// right beside.
  Box within_column(const Box& band, const TextLine& caption) const {
    const Box column = intersect(band, column_of(caption));
    constexpr double kLeastSign = 4;  // points; less may be the edge of a letter
    Box all = column;
    const auto take = [&](const Box& near, int largest) {
      for (const InkMap::Piece& piece : pieces_)
        if (!intersect(piece.box, near).empty() && intersect(piece.box, band) == piece.box &&
            piece.box.width() <= largest &&
            std::min(piece.box.width(), piece.box.height()) > kLeastSign * point_)
          all = unite(all, piece.box);
    };
    const int em = int(caption.size_px);
    take(column, page_.width_px);
    take({all.x0 - 2 * em, column.y0, all.x1 + 2 * em, column.y1}, 3 * em);  // of a legend
    return {all.x0, column.y0, all.x1, column.y1};
  }

  /// The column of a caption: as wide as the nearest text above and below it.
  Box column_of(const TextLine& caption) const {
    const Box& own = caption.box;
    int up = 0, down = page_.height_px;
    std::vector<Box> texts;
    for (const Box& line : running_)
      if (line.x0 < own.x1 && line.x1 > own.x0 && line != own) texts.push_back(line);
    for (const Box& line : texts) {
      if (line.y1 <= own.y0) up = std::max(up, line.y1);
      if (line.y0 >= own.y0) down = std::min(down, line.y0);
    }
    Box column{own.x0, 0, own.x1, page_.height_px};
    for (const Box& line : texts)
      if (std::abs(line.y1 - up) < body_ || std::abs(line.y0 - down) < body_)
        column.x0 = std::min(column.x0, line.x0), column.x1 = std::max(column.x1, line.x1);
    return column;
  }

  /// An algorithm in a frame does.
  bool holds_formula(const Box& box) const {
    const auto inside = [&](const PageFormula& formula) { return holds_middle(box, formula.box); };
    return page_.formulas && std::any_of(page_.formulas->begin(), page_.formulas->end(), inside);
  }

  /// Whether so many curves, slanted lines and marks are drawn that it is no table; unknown on a
  /// scan, whose letters leave the boxes of their words.
  bool is_free(const Box& box) const { return !scan_ && is_freely_drawn(page_, box, rules_); }

  /// Whether next to nothing but words and straight lines stands in a box.
  bool is_plain(const Box& box) const {
    constexpr double kMostSpread = 0.6;  // of a side
    return free_strokes(page_, box, rules_) < kMostSpread * side_of(box);
  }

  /// The side of a square as large as a box, in points.
  double side_of(const Box& box) const { return std::sqrt(double(box.area())) / point_; }

  /// With the words in and beside what is drawn in a band of a `wide` one; empty where it is a
  /// table, or without a label.
  Box with_labels(Box diagram, bool free, const Box& wide, const Box& column,
                  const TextLine& caption) const {
    const int em = int(caption.size_px);
    const Box band{wide.x0, column.y0, wide.x1, column.y1};
    const auto is_beside = [&](const Box& line) {
      return line.x0 > column.x1 + 2 * em || line.x1 < column.x0 - 2 * em;
    };
    constexpr size_t kLongestPanel = 3;
    const Box drawn = diagram;
    const auto is_title = [&](const TextLine& line) {  // of what is below
      return line.size_px > 1.1 * caption.size_px && line.box.y1 <= drawn.y0 &&
             std::none_of(lines_.begin(), lines_.end(), [&](const TextLine& other) {
               return &other != &line && row_overlap(other.box, line.box) > 0.5 &&
                      intersect(other.box, band) == other.box;
             });
    };
    bool labelled = false;
    for (bool again = true; again;) {
      again = false;
      for (const TextLine& line : lines_) {
        const Box near{diagram.x0 - em, diagram.y0 - em, diagram.x1 + em, diagram.y1 + em};
        const bool panel = line.chars <= kLongestPanel && line.box.y1 > diagram.y0 &&
                           line.box.y0 < diagram.y1;  // "(a)"
        const bool between = line.box.y0 >= drawn.y1 - em && line.box.y1 <= caption.box.y0 + em / 4;
        if (&line == &caption || (intersect(line.box, near).empty() && !panel && !between) ||
            opens_other(line, caption) || names_source(line) ||
            intersect(line.box, band).area() * 10 < line.box.area() * 9 || is_beside(line.box) ||
            is_title(line))
          continue;
        labelled = true;
        again |= unite(diagram, line.box) != diagram;
        diagram = unite(diagram, line.box);
      }
    }
    diagram = intersect(diagram, band);
    if (!labelled) return {};
    if (free) return diagram;
    return are_cells(diagram, lines_) || is_of_table(diagram, tables_) ? Box{} : diagram;
  }

  const PageInput& page_;
  const std::vector<TextLine>& lines_;
  const std::vector<InkMap::Piece>& pieces_;
  double point_;
  bool scan_;                 ///< its words come from OCR
  double body_, width_ = 0;   ///< size and width of the page's lines of prose
  std::vector<Box> running_;  ///< what ends a figure: running text and tables
  RulingLines rules_;
  std::vector<RuledTable> tables_;
};

}  // namespace

Drawn drawn_in(const Box& band, const std::vector<InkMap::Piece>& pieces, double point) {
  constexpr size_t kLeastPieces = 3;
  constexpr double kLeastSide = 8, kLeastFill = 0.03, kMostFill = 0.6;  // points; shares
  Drawn drawn;
  size_t solid = 0;
  bool connected = false;  // boxes and arrows that touch
  for (const InkMap::Piece& piece : pieces) {
    const bool rule = piece.box.height() < 8 * point && piece.box.width() * 5 > band.width() * 4;
    if (rule || intersect(piece.box, band).area() * 10 < piece.box.area() * 9) continue;
    drawn.box = unite(drawn.box, piece.box);
    const double side = std::min(piece.box.width(), piece.box.height()) / point;
    solid += side >= kLeastSide;
    connected |=
        side >= 4 * kLeastSide && piece.core_fill > kLeastFill && piece.core_fill < kMostFill;
  }
  drawn.drawing = solid >= kLeastPieces || connected;
  return drawn;
}

std::vector<Box> find_named_figures(const PageInput& page, const std::vector<TextLine>& lines,
                                    const std::vector<InkMap::Piece>& pieces) {
  const FigureFinder finder(page, lines, pieces);
  std::vector<Box> figures;
  for (const TextLine& line : lines)
    if (names_figure(line, page.words))
      if (const Box figure = finder.find(line); !figure.empty()) figures.push_back(figure);
  return figures;
}

}  // namespace docspec
