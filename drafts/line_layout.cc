#include "drafts/line_layout.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <utility>

#include "drafts/ink_map.h"
#include "drafts/reading_order.h"
#include "drafts/region_rules.h"
#include "drafts/table_finder.h"
#include "drafts/text_blocks.h"

namespace docspec {
namespace {

/// A block, a table or a picture while the page is put together.
struct Piece {
  enum class Place { header, body, footer };
  TextBlock lines;
  Box box;
  RegionKind kind = RegionKind::text;
  Place place = Place::body;
  int inside = -1;  ///< the picture that this text is printed on
};

std::vector<TextLine> lines_of(const PageInput& page) {
  if (!page.words.empty()) return group_lines(page.words, page.dpi);
  std::vector<TextLine> lines;
  for (const Box& box : page.lines) {
    TextLine line;
    line.box = box;
    line.size_px = std::max(1.0, 0.75 * box.height());
    line.chars = size_t(box.width() / (0.5 * line.size_px)) + 1;
    lines.push_back(line);
  }
  return lines;
}

/// Ink that no text accounts for, large enough to be a picture.
std::vector<Box> find_pictures(const PageInput& page, const std::vector<TextLine>& lines,
                               const std::vector<Piece>& tables) {
  if (!page.image || page.image->empty()) return {};
  InkMap ink(*page.image, double(page.width_px) / page.image->width_px());
  std::vector<Box> text;
  for (const TextLine& line : lines) text.push_back(line.box);
  for (const Piece& table : tables) text.push_back(table.box);
  ink.erase(text);
  const double point = page.dpi / 72;
  std::vector<Box> pictures;
  for (const InkMap::Piece& piece : ink.pieces()) {
    const Box box = intersect(piece.box, {0, 0, page.width_px, page.height_px});
    double text_area = 0;
    for (const Box& line : text) text_area += double(intersect(line, box).area());
    const bool large = std::min(box.width(), box.height()) >= 30 * point &&
                       double(box.area()) >= 0.008 * page.width_px * page.height_px;
    const bool frame =
        text_area > 0.3 * double(box.area()) || (text_area > 0 && piece.core_fill < 0.04);
    const bool background =
        text_area > 0 && double(box.area()) > 0.8 * page.width_px * page.height_px;
    if (large && !frame && !background) pictures.push_back(box);
  }
  return pictures;
}

/// Joins pictures that overlap or touch.
void join_pictures(std::vector<Box>& pictures, int near_px) {
  for (bool again = true; again;) {
    again = false;
    for (size_t i = 0; i < pictures.size() && !again; ++i)
      for (size_t j = i + 1; j < pictures.size() && !again; ++j) {
        const Box grown{pictures[i].x0 - near_px, pictures[i].y0 - near_px,
                        pictures[i].x1 + near_px, pictures[i].y1 + near_px};
        if (intersect(grown, pictures[j]).empty()) continue;
        pictures[i] = unite(pictures[i], pictures[j]);
        pictures.erase(pictures.begin() + std::ptrdiff_t(j));
        again = true;
      }
  }
}

bool all_digits(const TextLine& line, std::span<const Word> words) {
  if (line.words.empty() || line.words.size() > 3) return false;
  size_t digits = 0, letters = 0;
  for (int i : line.words)
    for (char c : words[i].text) {
      digits += c >= '0' && c <= '9';
      letters += uint8_t(c) >= 0x80 || std::isalpha(uint8_t(c));
    }
  return digits > 0 && digits <= 4 && letters == 0;
}

/// The lines of the outermost row at the top or bottom if it is a running header or footer: set
/// apart from the text by more than a line, not larger than it, and either far out in the margin or
/// with a page number at hand.
std::vector<int> margin_row(const PageInput& page, const std::vector<TextLine>& lines,
                            double body_px, bool top) {
  std::vector<int> row;
  const auto depth = [&](const TextLine& line) {  // distance of its inner edge from the page's edge
    return top ? line.box.y1 : page.height_px - line.box.y0;
  };
  int outer = -1, next_depth = INT32_MAX;
  for (int i = 0; i < int(lines.size()); ++i)
    if (lines[i].quarter_turns % 2 == 0 && (outer < 0 || depth(lines[i]) < depth(lines[outer])))
      outer = i;
  if (outer < 0) return row;
  bool number = false, small = true, prose = false;
  for (int i = 0; i < int(lines.size()); ++i) {
    if (lines[i].quarter_turns % 2) continue;
    if (std::abs(lines[i].middle() - lines[outer].middle()) < 0.7 * lines[outer].size_px) {
      row.push_back(i);
      number |= all_digits(lines[i], page.words);
      small &= lines[i].size_px <= 1.1 * body_px;
      prose |= lines[i].chars > 80 && lines[i].size_px > 0.95 * body_px;
    } else {
      next_depth = std::min(next_depth, top ? lines[i].box.y0 : page.height_px - lines[i].box.y1);
    }
  }
  const bool far_out = depth(lines[outer]) < 0.1 * page.height_px;
  const bool near = depth(lines[outer]) < 0.17 * page.height_px;
  const int gap = next_depth - depth(lines[outer]);
  const bool apart = next_depth != INT32_MAX && gap > (number ? 0.8 : 1.3) * lines[outer].size_px;
  if (!apart || !small || !((far_out && !prose) || (near && number))) row.clear();
  return row;
}

/// Where each line belongs. One row of header and of footer; sideways stamps in the margin.
std::vector<Piece::Place> margin_places(const PageInput& page, const std::vector<TextLine>& lines,
                                        double body_px) {
  using Place = Piece::Place;
  std::vector<Place> places(lines.size(), Place::body);
  for (size_t i = 0; i < lines.size(); ++i)
    if (lines[i].quarter_turns % 2 &&
        (lines[i].box.x1 < 0.1 * page.width_px || lines[i].box.x0 > 0.9 * page.width_px))
      places[i] = Place::header;
  for (int i : margin_row(page, lines, body_px, true)) places[i] = Place::header;
  for (int i : margin_row(page, lines, body_px, false)) places[i] = Place::footer;
  return places;
}

double body_size(const std::vector<TextLine>& lines) {
  std::vector<std::pair<double, size_t>> sizes;
  size_t chars = 0;
  for (const TextLine& line : lines) {
    sizes.emplace_back(line.size_px, line.chars);
    chars += line.chars;
  }
  std::sort(sizes.begin(), sizes.end());
  size_t seen = 0;
  for (const auto& [size, count] : sizes)
    if ((seen += count) * 2 >= chars) return size;
  return 1;
}

/// Indices of pieces in reading order: headers, the body by XY-cut, footers; text on a picture
/// follows the picture.
std::vector<int> order_pieces(const std::vector<Piece>& pieces, double em) {
  std::vector<int> order;
  const auto add = [&](auto wanted) {
    std::vector<int> chosen;
    std::vector<Box> boxes;
    for (int i = 0; i < int(pieces.size()); ++i)
      if (wanted(pieces[i])) {
        chosen.push_back(i);
        boxes.push_back(pieces[i].box);
      }
    std::vector<int> sorted;
    for (int k : reading_order(boxes, em)) sorted.push_back(chosen[k]);
    return sorted;
  };
  using Place = Piece::Place;
  for (Place place : {Place::header, Place::body, Place::footer})
    for (int i : add([&](const Piece& p) { return p.place == place && p.inside < 0; })) {
      order.push_back(i);
      const auto on_it = add([&](const Piece& p) { return p.inside == i; });
      order.insert(order.end(), on_it.begin(), on_it.end());
    }
  return order;
}

/// Joins neighbouring regions of code: a blank line does not end a listing.
void join_code(std::vector<Region>& regions, double em) {
  std::vector<Region> joined;
  for (Region& region : regions) {
    Region* last = joined.empty() ? nullptr : &joined.back();
    if (last && last->kind == RegionKind::code && region.kind == RegionKind::code &&
        region.box.y0 - last->box.y1 < 3 * em && region.box.y1 > last->box.y1 &&
        region.box.x0 < last->box.x1 && last->box.x0 < region.box.x1) {
      last->box = unite(last->box, region.box);
      continue;
    }
    region.id = region.order = int(joined.size());
    joined.push_back(region);
  }
  regions = std::move(joined);
}

class LineLayout : public LayoutDetector {
 public:
  std::string_view name() const override { return "lines"; }

  std::vector<Region> detect(const PageInput& page) override {
    const std::vector<TextLine> lines = lines_of(page);
    const double body = body_size(lines);
    const std::vector<Piece> pieces = find_pieces(page, lines, body);
    std::vector<Region> regions;
    const auto add = [&](const Box& box, RegionKind kind) {
      const int n = int(regions.size());
      const Box seen = intersect(box, {0, 0, page.width_px, page.height_px});
      if (!seen.empty())
        regions.push_back({n, n, kind, seen, 1});  // text off the page is not shown
    };
    const RegionRules rules(page, lines, body);
    bool first = true;  // of the body
    for (int i : order_pieces(pieces, body)) {
      const Piece& piece = pieces[i];
      if (piece.lines.empty() || piece.kind == RegionKind::table) {
        add(piece.box, piece.kind);
        continue;
      }
      for (const TextBlock& part : split_paragraphs(piece.lines, lines, page.words)) {
        const RegionKind kind = piece.place == Piece::Place::header ? RegionKind::page_header
                                : piece.place == Piece::Place::footer
                                    ? RegionKind::page_footer
                                    : rules.kind(part, std::exchange(first, false));
        add(box_of(part, lines), kind);
      }
    }
    join_code(regions, body);
    return regions;
  }

 private:
  static std::vector<Piece> find_pieces(const PageInput& page, const std::vector<TextLine>& lines,
                                        double body) {
    std::vector<Piece> pieces;
    std::vector<bool> taken(lines.size(), false);
    for (const auto& table : find_tables(lines, page.words, page.width_px)) {
      Piece piece{table, box_of(table, lines), RegionKind::table};
      for (int i : table) taken[i] = true;
      pieces.push_back(piece);
    }
    std::vector<Box> pictures = find_pictures(page, lines, pieces);
    join_pictures(pictures, int(page.dpi / 12));
    const size_t first_picture = pieces.size();
    for (const Box& box : pictures) pieces.push_back({{}, box, RegionKind::picture});
    const size_t first_text = pieces.size();
    const auto places = margin_places(page, lines, body);
    for (auto place : {Piece::Place::header, Piece::Place::body, Piece::Place::footer}) {
      std::vector<int> chosen;
      for (int i = 0; i < int(lines.size()); ++i)
        if (!taken[i] && places[i] == place) chosen.push_back(i);
      for (TextBlock& block : group_blocks(lines, chosen)) {
        Piece piece{block, box_of(block, lines)};
        piece.place = place;
        pieces.push_back(piece);
      }
    }
    for (size_t t = first_text; t < pieces.size(); ++t)
      for (size_t p = first_picture; p < first_text; ++p)
        if (intersect(pieces[t].box, pieces[p].box).area() * 2 > pieces[t].box.area()) {
          pieces[t].inside = int(p);
          pieces[t].place = Piece::Place::body;
        }
    return pieces;
  }
};

}  // namespace

std::unique_ptr<LayoutDetector> make_line_layout() {
  return std::make_unique<LineLayout>();
}

}  // namespace docspec
