#include "drafts/layout/picture_finder.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "core/page/ink_map.h"
#include "drafts/grid/cell_text.h"
#include "drafts/grid/table_columns.h"
#include "drafts/layout/drawing_finder.h"
#include "drafts/layout/drawn_tables.h"
#include "drafts/layout/figure_finder.h"
#include "drafts/layout/text_openings.h"
#include "drafts/lines/font_style.h"
#include "drafts/lines/line_text.h"
#include "drafts/lines/text_blocks.h"

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
  constexpr double kEdge = 0.2;   // of the box, where a line that reaches out of it is none of it
  constexpr size_t kLabel = 14;   // letters
  for (const TextLine& line : lines)
    if (line.chars > kLabel && !holds_middle(box, line.box) && !intersect(box, line.box).empty()) {
      const double at = (line.middle() - box.y0) / box.height();
      if (at < kEdge) box.y0 = std::max(box.y0, line.box.y1);
      if (at > 1 - kEdge) box.y1 = std::min(box.y1, line.box.y0);
    }
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

/// Whether short lines alone lie in a box, and most of them are numbers, as at the axes of a chart.
bool holds_scales(const Box& box, const std::vector<TextLine>& lines, std::span<const Word> words) {
  constexpr size_t kLongest = 14;  // letters
  constexpr int kLeast = 6;
  int all = 0, numbers = 0;
  for (const TextLine& line : lines) {
    if (!holds_middle(box, line.box)) continue;
    if (line.chars > kLongest) return false;
    ++all;
    numbers += std::all_of(line.words.begin(), line.words.end(),
                           [&](int w) { return is_numeric(words[size_t(w)].text); });
  }
  return all >= kLeast && numbers * 2 >= all;
}

/// Whether something as wide and high as a small drawing lies in a box, which rules are not.
bool has_frame(const Box& box, const std::vector<InkMap::Piece>& pieces, double point) {
  constexpr double kLeastSide = 32;  // points
  return std::any_of(pieces.begin(), pieces.end(), [&](const InkMap::Piece& piece) {
    return std::min(piece.box.width(), piece.box.height()) >= kLeastSide * point &&
           intersect(piece.box, box).area() * 10 >= piece.box.area() * 9;
  });
}

/// Whether the lines in a box begin below each other and fill it: a listing in a frame.
bool holds_listing(const Box& box, const std::vector<TextLine>& lines) {
  constexpr size_t kLeastLines = 4;
  const std::vector<int> inside = lines_within(box, lines);
  if (inside.size() < kLeastLines) return false;
  int height = 0;
  const int left = box_of(inside, lines).x0;
  for (const int i : inside) {
    const TextLine& line = lines[size_t(i)];
    if (line.box.x0 - left > line.size_px) return false;
    height += line.box.height();
  }
  return height * 2 > box.height();
}

/// A drawing without the tables that stand beside it and have nothing drawn on them but rules.
Box beside_tables(Box box, const std::vector<Box>& tables, const InkMap& ink) {
  constexpr double kRules = 0.1;  // share of a table that is ink, without its words
  for (const Box& table : tables) {
    if (intersect(table, box).area() * 5 < table.area() * 4 || ink.share(table) > kRules) continue;
    Box rest;
    for (const Box& part :
         {Box{box.x0, box.y0, table.x0 - 1, box.y1}, Box{table.x1 + 1, box.y0, box.x1, box.y1},
          Box{box.x0, box.y0, box.x1, table.y0 - 1}, Box{box.x0, table.y1 + 1, box.x1, box.y1}})
      if (!part.empty() && part.area() > rest.area()) rest = part;
    if (ink.share(rest) > kRules) box = rest;
  }
  return box;
}

}  // namespace

std::vector<Box> find_diagrams(const PageInput& page, const std::vector<TextLine>& lines) {
  if (!page.image || page.image->empty()) return {};
  const bool scan = are_of_ocr(page.words);
  const bool named = std::any_of(lines.begin(), lines.end(), [&](const TextLine& line) {
    return names_figure(line, page.words);
  });
  std::vector<Box> diagrams = find_framed_drawings(page, lines);
  if (!named && !scan) return diagrams;
  const InkMap ink = ink_between_words(page);
  const auto add = [&](const std::vector<Box>& more) {
    diagrams.insert(diagrams.end(), more.begin(), more.end());
  };
  if (named) add(find_named_figures(page, lines, ink.pieces()));
  if (scan) add(find_drawings(page, lines, ink));
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
                                    const std::function<std::vector<FoundRegion>()>& look,
                                    const std::function<std::vector<Box>()>& tables) {
  // Below, covers and forms are pictures for the net, too. On a scan all that is drawn was read.
  const bool scan = are_of_ocr(page.words);
  const double sure = scan ? 0.85 : 0.94;
  constexpr double kScales = 0.5;  // the numbers of a chart say as much as its score
  constexpr double kSurer = 0.93;  // though only a frame is drawn: circles of a plot were read
  if (!page.image || page.image->empty() || page.words.empty() || lines.empty()) return {};
  const InkMap ink = ink_between_words(page);
  const auto pieces = ink.pieces();
  const double point = page.dpi / 72;
  const auto ruled = find_worded_tables(page, lines.front().size_px);
  if (!scan && !has_labelled_piece(pieces, lines, ruled, point)) return {};
  std::optional<std::vector<Box>> aligned;
  std::vector<Box> pictures;
  for (const FoundRegion& found : look()) {
    if (found.kind != RegionKind::picture ||
        found.score < (scan && holds_scales(found.box, lines, page.words) ? kScales : sure))
      continue;
    Box box = with_labels(found.box, lines, page.words);
    const auto same = [&](const Box& other) { return !intersect(other, box).empty(); };
    const auto reaches_out = [&](const Box& other) {
      return same(other) && (!scan || intersect(other, box).area() * 5 < other.area() * 4);
    };
    if (box.empty() || std::any_of(known.begin(), known.end(), reaches_out) ||
        std::any_of(pictures.begin(), pictures.end(), same) ||
        !((scan && found.score >= kSurer && has_frame(box, pieces, point)) ||
          drawn_in(box, pieces, point).drawing))
      continue;
    // A page that is nothing but a drawing keeps its words.
    const auto inside = std::count_if(page.words.begin(), page.words.end(), [&](const Word& word) {
      return holds_middle(box, word.box);
    });
    if (size_t(inside) * 2 > page.words.size()) continue;
    if (is_of_table(box, ruled) || (scan && holds_listing(box, lines))) continue;
    if (!aligned) aligned = tables();
    const bool table = scan && std::any_of(aligned->begin(), aligned->end(), [&](const Box& own) {
                         return intersect(own, box).area() * 2 > box.area();
                       });
    if (!scan) box = beside_tables(box, *aligned, ink);
    if (!table) pictures.push_back(box);
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

Box without_captions(const Box& picture, const std::vector<TextLine>& lines,
                     std::span<const Word> words) {
  constexpr double kNear = 1.5;  // heights of the line
  Box rest = picture;
  for (const TextLine& line : lines) {
    const Box& own = line.box;
    if (line.words.empty() || !holds_middle(picture, own) ||
        !opens_caption(line_text(words, line.words)))
      continue;
    if (picture.y1 - own.y1 < kNear * own.height()) rest.y1 = std::min(rest.y1, own.y0);
    if (own.y0 - picture.y0 < kNear * own.height()) rest.y0 = std::max(rest.y0, own.y1);
  }
  return rest.empty() ? picture : rest;
}

}  // namespace docspec
