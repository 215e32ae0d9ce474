#include "drafts/layout/picture_finder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>

#include "core/base/median.h"
#include "core/page/ink_map.h"
#include "core/text/unicode.h"
#include "drafts/grid/ruling_lines.h"
#include "drafts/layout/drawing_finder.h"
#include "drafts/layout/drawn_tables.h"
#include "drafts/layout/region_rules.h"
#include "drafts/layout/text_openings.h"
#include "drafts/lines/line_text.h"

namespace docspec {
namespace {

/// One colour from edge to edge: the ground of a frame or a bar, not a picture.
bool plain(const PageImage& image, const Box& box, int frame_width_px) {
  constexpr int kSame = 10;
  const double scale = double(image.width_px()) / frame_width_px;
  const Box own = intersect({int(box.x0 * scale) + 4, int(box.y0 * scale) + 4,
                             int(box.x1 * scale) - 4, int(box.y1 * scale) - 4},
                            {0, 0, image.width_px(), image.height_px()});
  int low[3] = {255, 255, 255}, high[3] = {0, 0, 0};
  for (int y = own.y0; y < own.y1; ++y)
    for (const uint8_t* rgb = image.row(y) + size_t(own.x0) * 3;
         rgb < image.row(y) + size_t(own.x1) * 3; rgb += 3)
      for (int c = 0; c < 3; ++c) {
        low[c] = std::min<int>(low[c], rgb[c]);
        high[c] = std::max<int>(high[c], rgb[c]);
      }
  return !own.empty() && high[0] - low[0] < kSame && high[1] - low[1] < kSame &&
         high[2] - low[2] < kSame;
}

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

/// What is drawn in a band.
struct Drawn {
  Box box;
  bool drawing = false;  ///< not rules and frames alone, as of a table or a listing
};

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

/// Looks for the figures that captions name.
class FigureFinder {
 public:
  FigureFinder(const PageInput& page, const std::vector<TextLine>& lines,
               const std::vector<InkMap::Piece>& pieces)
      : page_(page),
        lines_(lines),
        pieces_(pieces),
        point_(page.dpi / 72),
        rules_(find_rules(page)) {
    constexpr int kLeastRows = 3;
    constexpr double kMostSpread = 0.6;
    std::vector<double> sizes, widths;
    body_ = lines.front().size_px;
    for (const TextLine& line : lines)
      if (is_prose(line)) sizes.push_back(line.size_px), widths.push_back(line.box.width());
    if (!sizes.empty()) body_ = median(std::move(sizes)), width_ = median(std::move(widths));
    for (const TextLine& line : lines)
      if (is_running(line)) running_.push_back(line.box);
    tables_ = find_worded_tables(page, body_);
    for (const RuledTable& table : tables_)
      if (table.rows >= kLeastRows &&
          free_strokes(page, table.box, rules_) < kMostSpread * side_of(table.box))
        running_.push_back(table.box);
  }

  /// The figure above a caption or, where nothing is drawn there, below it; else an empty box. It
  /// stands in the caption's column, or may reach beyond that.
  Box find(const TextLine& caption) {
    for (const bool above : {true, false})
      for (const bool in_column : {true, false}) {
        const Box band = band_beside(caption, above, in_column);
        if (band.height() < 4 * caption.size_px) continue;
        const Drawn drawn = drawn_in(band, pieces_, point_);
        const bool apart = drawn.box.x0 >= caption.box.x1 || drawn.box.x1 <= caption.box.x0;
        if (drawn.box.empty() || (apart && !in_column)) continue;
        const bool free = is_free(drawn.box);
        if (free || (drawn.drawing && !holds_formula(drawn.box)))
          return with_labels(drawn.box, free, band, caption);
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

  /// The band above or below a caption, up to the text or the caption that is nearest; as wide as
  /// the column, or as the page between the text at its sides.
  Box band_beside(const TextLine& caption, bool above, bool in_column) const {
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
    if (!in_column) return band;
    const Box column = intersect(band, column_of(caption));
    Box all = column;
    for (const InkMap::Piece& piece : pieces_)
      if (!intersect(piece.box, column).empty() && intersect(piece.box, band) == piece.box)
        all = unite(all, piece.box);
    const int reach = 2 * int(caption.size_px);  // of labels at its side
    return intersect(band, {all.x0 - reach, column.y0, all.x1 + reach, column.y1});
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

  /// Whether so many curves, slanted lines and marks are drawn that it is no table.
  bool is_free(const Box& box) const {
    constexpr double kLeast = 300, kLeastSpread = 1.2;  // points; of a side
    return free_strokes(page_, box, rules_) > std::max(kLeast, kLeastSpread * side_of(box));
  }

  /// The side of a square as large as a box, in points.
  double side_of(const Box& box) const { return std::sqrt(double(box.area())) / point_; }

  /// With the words in and beside what is drawn; empty where it is a table, or without a label.
  Box with_labels(Box diagram, bool free, const Box& band, const TextLine& caption) {
    const int em = int(caption.size_px);
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
        if (&line == &caption || (intersect(line.box, near).empty() && !panel) ||
            opens_other(line, caption) || names_source(line) ||
            intersect(line.box, band).area() * 10 < line.box.area() * 9 || is_title(line))
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
  double body_, width_ = 0;   ///< size and width of the page's lines of prose
  std::vector<Box> running_;  ///< what ends a figure: running text and tables
  RulingLines rules_;
  std::vector<RuledTable> tables_;
};

/// Prose, or so many letters as wide as they are high that they are no label.
bool is_no_label(const TextLine& line) {
  constexpr size_t kMostWide = 14;
  const bool wide = double(line.chars) * line.size_px < 1.3 * line.box.width();
  return is_prose(line) || (wide && line.chars > kMostWide);
}

/// Whether a drawing, or a piece of one, has labels at or on it, and no other text on it.
bool has_labelled_piece(const std::vector<InkMap::Piece>& pieces,
                        const std::vector<TextLine>& lines, std::span<const RuledTable> tables,
                        double point) {
  constexpr double kLeastSide = 32;  // points
  constexpr std::ptrdiff_t kLeastLabels = 2;
  return std::any_of(pieces.begin(), pieces.end(), [&](const InkMap::Piece& piece) {
    if (std::min(piece.box.width(), piece.box.height()) < kLeastSide * point) return false;
    if (is_of_table(piece.box, tables)) return false;
    const auto near = [&](const TextLine& line) {
      const int em = int(line.size_px);
      const Box grown{line.box.x0 - em, line.box.y0 - em, line.box.x1 + em, line.box.y1 + em};
      return !intersect(grown, piece.box).empty();
    };
    return std::none_of(lines.begin(), lines.end(),
                        [&](const TextLine& line) {
                          return is_no_label(line) && !intersect(line.box, piece.box).empty();
                        }) &&
           std::count_if(lines.begin(), lines.end(), [&](const TextLine& line) {
             return !is_no_label(line) && near(line);
           }) >= kLeastLabels;
  });
}

/// A detected picture with all of its labels and without its caption; an empty box where it holds
/// other text, or no label.
Box with_labels(Box box, const std::vector<TextLine>& lines, std::span<const Word> words) {
  constexpr double kPart = 0.15;  // of a line
  for (const TextLine& line : lines)
    if (holds_middle(box, line.box) && names_figure(line, words)) {
      const bool below = line.middle() * 2 > box.y0 + box.y1;
      (below ? box.y1 : box.y0) = below ? line.box.y0 : line.box.y1;
    }
  Box all = box;
  bool labelled = false;
  std::vector<const TextLine*> others;
  for (const TextLine& line : lines) {
    if (double(intersect(box, line.box).area()) < kPart * double(line.box.area()) ||
        names_figure(line, words)) {
      others.push_back(&line);
      continue;
    }
    if (is_no_label(line)) return {};
    labelled = true;
    all = unite(all, line.box);
  }
  const bool more = std::any_of(others.begin(), others.end(),
                                [&](const TextLine* line) { return holds_middle(all, line->box); });
  return labelled && !more ? all : Box{};
}

}  // namespace

std::vector<Box> find_diagrams(const PageInput& page, const std::vector<TextLine>& lines) {
  std::vector<const TextLine*> captions;
  for (const TextLine& line : lines)
    if (names_figure(line, page.words)) captions.push_back(&line);
  const bool scan = !page.words.empty() && page.words.front().font.empty();
  if ((captions.empty() && !scan) || !page.image || page.image->empty()) return {};
  const InkMap ink = ink_between_words(page);
  const auto pieces = ink.pieces();
  FigureFinder figures(page, lines, pieces);
  std::vector<Box> diagrams;
  for (const TextLine* caption : captions)
    if (const Box figure = figures.find(*caption); !figure.empty()) diagrams.push_back(figure);
  if (scan) {
    const std::vector<Box> more = find_drawings(page, lines, ink);
    diagrams.insert(diagrams.end(), more.begin(), more.end());
  }
  return diagrams;
}

void join_same(std::vector<Box>& pictures) {
  for (size_t i = 0; i < pictures.size(); ++i)
    for (size_t j = i + 1; j < pictures.size(); ++j) {
      const int64_t smaller = std::min(pictures[i].area(), pictures[j].area());
      if (intersect(pictures[i], pictures[j]).area() * 2 <= smaller) continue;
      pictures[i] = unite(pictures[i], pictures[j]);
      pictures.erase(pictures.begin() + std::ptrdiff_t(j));
      j = i;  // it is larger now
    }
}

std::vector<Box> find_sure_pictures(const PageInput& page, const std::vector<TextLine>& lines,
                                    std::span<const Box> known,
                                    const std::function<std::vector<FoundRegion>()>& look) {
  constexpr double kSure = 0.94;  // below, covers and forms are pictures for the net, too
  if (!page.image || page.image->empty() || page.words.empty() || lines.empty()) return {};
  const auto pieces = ink_between_words(page).pieces();
  const double point = page.dpi / 72;
  const auto tables = find_worded_tables(page, lines.front().size_px);
  if (!has_labelled_piece(pieces, lines, tables, point)) return {};
  std::vector<Box> pictures;
  for (const FoundRegion& found : look()) {
    if (found.kind != RegionKind::picture || found.score < kSure) continue;
    const Box box = with_labels(found.box, lines, page.words);
    const auto same = [&](const Box& other) { return !intersect(other, box).empty(); };
    if (box.empty() || std::any_of(known.begin(), known.end(), same) ||
        std::any_of(pictures.begin(), pictures.end(), same) ||
        !drawn_in(box, pieces, point).drawing)
      continue;
    // A page that is nothing but a drawing keeps its words.
    const auto inside = std::count_if(page.words.begin(), page.words.end(), [&](const Word& word) {
      return holds_middle(box, word.box);
    });
    if (size_t(inside) * 2 > page.words.size()) continue;
    if (!is_of_table(box, tables)) pictures.push_back(box);
  }
  return pictures;
}

std::vector<Box> find_pictures(const PageInput& page, const std::vector<TextLine>& lines,
                               std::span<const Box> taken) {
  if (!page.image || page.image->empty()) return {};
  InkMap ink(*page.image, double(page.width_px) / page.image->width_px());
  std::vector<Box> text;
  for (const TextLine& line : lines) text.push_back(line.box);
  text.insert(text.end(), taken.begin(), taken.end());
  ink.erase(text);
  const double point = page.dpi / 72;
  std::vector<Box> pictures;
  for (const InkMap::Piece& piece : ink.pieces()) {
    const Box box = intersect(piece.box, {0, 0, page.width_px, page.height_px});
    const bool printed = std::any_of(
        text.begin(), text.end(), [&](const Box& line) { return !intersect(line, box).empty(); });
    const bool large = std::min(box.width(), box.height()) >= 30 * point &&
                       double(box.area()) >= 0.008 * page.width_px * page.height_px;
    // The rest of a frame that its text fills in part, or a bar at the page's edge.
    const Box beside{box.x0 - int(12 * point), box.y0, box.x1 + int(12 * point), box.y1};
    const bool at_edge = box.x0 <= 4 * point || box.y0 <= 4 * point ||
                         box.x1 >= page.width_px - 4 * point ||
                         box.y1 >= page.height_px - 4 * point;
    const bool ground =
        (at_edge || std::any_of(text.begin(), text.end(),
                                [&](const Box& line) {
                                  return intersect(line, beside).height() * 2 > line.height();
                                })) &&
        plain(*page.image, box, page.width_px);
    if (large && !printed && !ground) pictures.push_back(box);
  }
  join_pictures(pictures, int(page.dpi / 12), [](const Box&) { return true; });
  return pictures;
}

}  // namespace docspec
