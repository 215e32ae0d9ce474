#include "drafts/regions/line_layout.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/base/median.h"
#include "drafts/detector/line_net.h"
#include "drafts/formula/algorithm_boxes.h"
#include "drafts/formula/formula_finder.h"
#include "drafts/grid/cell_text.h"
#include "drafts/grid/ruling_lines.h"
#include "drafts/grid/white_strips.h"
#include "drafts/latex/math_letters.h"
#include "drafts/layout/chart_finder.h"
#include "drafts/layout/drawing_finder.h"
#include "drafts/layout/drawn_tables.h"
#include "drafts/layout/picture_finder.h"
#include "drafts/layout/region_rules.h"
#include "drafts/layout/rough_sizes.h"
#include "drafts/layout/settle_headings.h"
#include "drafts/lines/font_style.h"
#include "drafts/lines/gutter.h"
#include "drafts/lines/line_numbers.h"
#include "drafts/lines/text_blocks.h"
#include "drafts/margins/page_margins.h"
#include "drafts/regions/bold_blocks.h"
#include "drafts/regions/join_regions.h"
#include "drafts/regions/listings.h"
#include "drafts/regions/net_regions.h"
#include "drafts/regions/pieces.h"
#include "drafts/table/prose_columns.h"
#include "drafts/table/seen/seen_tables.h"
#include "drafts/table/table_regions.h"

namespace docspec {
namespace {

/// The dots per inch of a scan: an image that does not tell them has letters that seem too large.
double dpi_by_letters(const PageInput& page) {
  constexpr double kUsual = 10;  // points
  std::vector<double> sizes;
  for (const Word& word : page.words) sizes.push_back(word.font_size_pt);
  return page.image->dpi() * std::max(1.0, median(std::move(sizes)) / kUsual);
}

/// `walls`: between the tables and frames that a PDF draws side by side.
std::vector<TextLine> lines_of(const PageInput& page, std::span<const Box> walls) {
  std::vector<TextLine> lines;
  if (!page.words.empty()) {
    std::vector<Box> rules(walls.begin(), walls.end());
    if (page.image && are_of_ocr(page.words)) {
      rules = find_column_rules(*page.image, double(page.width_px) / page.image->width_px(),
                                dpi_by_letters(page));
      for (const Box& edge : column_edges(page.words)) rules.push_back(edge);
    }
    lines = group_lines(page.words, page.dpi, rules);
    settle_rough_sizes(lines, page.words);
    return lines;
  }
  for (const Box& box : page.lines) {
    TextLine line;
    line.box = box;
    line.size_px = std::max(1.0, 0.75 * box.height());
    line.chars = size_t(box.width() / (0.5 * line.size_px)) + 1;
    lines.push_back(line);
  }
  return lines;
}

/// Whether a word is of a formula in a box. A root or a sum may have its own box beside its ink.
bool is_of_formula(const Word& word, const Box& box) {
  const int x = (word.box.x0 + word.box.x1) / 2, reach = word.box.height();
  const bool near = x > box.x0 && x < box.x1 && word.box.y0 < box.y1 + reach / 2 &&
                    word.box.y1 > box.y0 - reach / 2;
  return holds_middle(box, word.box) ||
         (near && !word.formula && is_math_font(word.font) && word.text.size() < 5);
}

/// The words whose middle is on none of the charts, and which are of none of the formulas.
std::vector<Word> words_beside(std::span<const Word> words, const std::vector<Box>& charts,
                               const std::vector<Box>& formulas) {
  std::vector<Word> beside;
  for (const Word& word : words) {
    const bool taken = std::any_of(charts.begin(), charts.end(),
                                   [&](const Box& box) { return holds_middle(box, word.box); }) ||
                       std::any_of(formulas.begin(), formulas.end(),
                                   [&](const Box& box) { return is_of_formula(word, box); });
    if (!taken) beside.push_back(word);
  }
  return beside;
}

/// The size of the text: half of what is written, by its length, is not larger. Lines that are
/// `listed` do not count beside other text.
double body_size(const std::vector<TextLine>& lines, const std::vector<bool>& listed) {
  constexpr double kLeastText = 0.25;  // of all
  std::map<double, double> lengths;    // by size: letters would count those of LaTeX
  double all = 0, program = 0, seen = 0;
  const auto length_of = [](const TextLine& line) {
    return std::max(line.box.width(), line.box.height()) / line.size_px;
  };
  for (size_t i = 0; i < lines.size(); ++i) (listed[i] ? program : all) += length_of(lines[i]);
  const bool beside = all >= kLeastText * (all + program);
  if (!beside) all += program;
  for (size_t i = 0; i < lines.size(); ++i)
    if (!listed[i] || !beside) lengths[lines[i].size_px] += length_of(lines[i]);
  for (const auto& [size, length] : lengths)
    if ((seen += length) * 2 >= all) return size;
  return 1;
}

std::vector<Box> boxes_of_tables(const PageInput& page, const std::vector<TextLine>& lines) {
  std::vector<Box> boxes;
  const std::vector<bool> none(lines.size());
  for (const TableRegion& table :
       find_table_regions(page, lines, find_rules(page), body_size(lines, none), none))
    boxes.push_back(table.box);
  return boxes;
}

/// Opens a net at the first call, and lets go of what opens it.
template <typename Net>
void open_once(std::function<std::unique_ptr<Net>()>& open, std::unique_ptr<Net>& net) {
  if (open) net = open();
  open = {};
}

class LineLayout : public LayoutDetector {
 public:
  LineLayout(std::unique_ptr<LineNet> net, OpenPageNet open, OpenTableNet open_tables,
             bool by_regions)
      : net_(std::move(net)),
        open_(std::move(open)),
        open_tables_(std::move(open_tables)),
        by_regions_(by_regions) {}
  std::string_view name() const override {
    return by_regions_ ? "regions" : net_ ? "net" : "lines";
  }

  std::vector<Region> detect(const PageInput& whole_page) override {
    std::vector<FoundRegion> found;
    if (by_regions_) found = look_at(whole_page);
    std::vector<Box> charts =
        by_regions_ ? boxes_of(found, RegionKind::picture) : find_charts(whole_page);
    std::vector<Box> formulas;
    if (whole_page.formulas)
      for (const PageFormula& formula : *whole_page.formulas) formulas.push_back(formula.box);
    std::vector<Word> words;
    PageInput page = whole_page;
    RulingLines rulings;
    std::vector<Box> walls;
    if (are_rendered(page.words)) {
      rulings = find_rules(page);
      walls = walls_of(whites_between(rulings, page.words, page.dpi), page.words, page.dpi);
    }
    const auto read_beside_charts = [&] {
      std::erase_if(formulas, [&](const Box& formula) {
        return std::any_of(charts.begin(), charts.end(),
                           [&](const Box& chart) { return holds_middle(chart, formula); });
      });
      words = words_beside(whole_page.words, charts, formulas);
      page.words = words;
      return lines_of(page, walls);
    };
    std::vector<TextLine> lines = read_beside_charts();
    const auto add_charts = [&](const std::vector<Box>& more) {
      if (more.empty()) return;
      for (const Box& box : more) charts.push_back(without_captions(box, lines, page.words));
      join_same(charts);
      lines = read_beside_charts();
    };
    if (!by_regions_) add_charts(find_diagrams(page, lines));
    std::vector<FoundRegion> seen;  // by a net that is asked beside the rules
    if (!by_regions_ && (open_ || page_net_))
      add_charts(find_sure_pictures(
          page, lines, charts, [&] { return seen = look_at(page); },
          [&] { return boxes_of_tables(page, lines); }));
    if (!are_of_ocr(page.words)) seen.clear();  // fonts tell more of headings and footers
    std::vector<Box> more = find_seen_formulas(seen, page.words);
    if (!more.empty() && !lines.empty()) {  // small ruled tables look like matrices to the net
      const auto ruled = find_worded_tables(page, lines.front().size_px);
      std::erase_if(more, [&](const Box& formula) { return is_of_table(formula, ruled); });
    }
    if (!more.empty()) {
      formulas.insert(formulas.end(), more.begin(), more.end());
      lines = read_beside_charts();
    }
    if (!are_rendered(page.words) || words.size() < whole_page.words.size())
      rulings = find_rules(page);
    const std::vector<Box> numbers = take_line_numbers(lines, page.words, rulings.across, page.dpi);
    settle_listings(lines, page.words, rulings, page.dpi);
    const std::vector<bool> listed = find_listed(lines, page.words);
    const double body = body_size(lines, listed);
    const std::vector<Piece> pieces =
        find_pieces(page, lines, rulings, body, listed, charts, formulas, found, seen);
    std::vector<KindScores> scores;
    if (net_ && !page.words.empty()) scores = net_->scores(page, lines, body);
    std::vector<Region> regions;
    std::vector<int> first_lines;
    std::vector<size_t> rows;  // lines of each region of text, 0 of a table, formula or picture
    const auto add = [&](const Box& box, RegionKind kind, const TextBlock& part = {}) {
      const Box seen = intersect(box, {0, 0, page.width_px, page.height_px});
      if (seen.empty()) return;  // text off the page is not shown
      regions.push_back({int(regions.size()), int(regions.size()), kind, seen, 1});
      first_lines.push_back(part.empty() ? -1 : part.front());
      rows.push_back(part.size());
    };
    for (const Box& column : numbers) add(column, RegionKind::page_header);
    const RegionRules rules(page, lines, body);
    bool first = true;  // of the body
    const int authors = authors_end(pieces, lines, page.words);
    for (int i : order_pieces(pieces, rulings, body, authors, page.words, walls)) {
      const Piece& piece = pieces[i];
      for (const TextBlock& row : piece.rows) add(box_of(row, lines), RegionKind::text, row);
      if (!piece.rows.empty()) continue;
      if (piece.lines.empty() || piece.kind != RegionKind::text) {
        add(piece.box, piece.kind);
        if (!piece.cells.empty() && !regions.empty()) regions.back().cells = piece.cells;
        continue;
      }
      for (const TextBlock& part :
           parted_by(found, text_parts(piece, pieces, lines, page.words), lines)) {
        RegionKind kind = piece.place == Place::header   ? RegionKind::page_header
                          : piece.place == Place::footer ? RegionKind::page_footer
                                                         : rules.kind(part, first);
        first &= piece.place != Place::body;
        if (!scores.empty()) kind = kind_by_net(part, kind, scores);
        kind = kind_by_sight(kind, seen, box_of(part, lines),
                             lines[size_t(part.front())].size_px / body);
        if (const int cover = best_cover(found, box_of(part, lines)); cover >= 0)
          kind = found[size_t(cover)].kind;
        if (kind == RegionKind::section_header && piece.box.y1 <= authors) kind = RegionKind::text;
        add(box_of(part, lines), kind, part);
      }
    }
    settle_numbered_lines(regions, lines, first_lines, rows, page.words);
    settle_titled_lines(regions, lines, first_lines, rows, page.words);
    settle_bold_blocks(regions, lines, first_lines, rows, page.words);
    if (page.page == 1) settle_title(regions, lines, first_lines, page.words);
    join_code(regions, body);
    join_tables(regions, body);
    return regions;
  }

 private:
  /// The kind of a part by the net; `by_rules` if its words decide (captions) or the net is unsure.
  static RegionKind kind_by_net(const TextBlock& part, RegionKind by_rules,
                                const std::vector<KindScores>& scores) {
    if (by_rules == RegionKind::caption) return by_rules;
    KindScores sum{};
    for (int i : part)
      for (size_t k = 0; k < sum.size(); ++k) sum[k] += scores[size_t(i)][k] / float(part.size());
    constexpr float kSure = -0.7f;  // half of the probability
    const auto best = std::max_element(sum.begin(), sum.end());
    const RegionKind kind = RegionKind(best - sum.begin());
    // Size and weight tell a numbered heading from a list item, and the title from other headings.
    const bool rules_know =
        (kind == RegionKind::section_header && by_rules == RegionKind::title) ||
        (kind == RegionKind::list_item && by_rules == RegionKind::section_header);
    return *best < kSure || kind == RegionKind::picture || rules_know ? by_rules : kind;
  }

  std::vector<Piece> find_pieces(const PageInput& page, const std::vector<TextLine>& lines,
                                 const RulingLines& rules, double body,
                                 const std::vector<bool>& listed, const std::vector<Box>& charts,
                                 const std::vector<Box>& known_formulas,
                                 const std::vector<FoundRegion>& found,
                                 const std::vector<FoundRegion>& seen) {
    std::vector<Piece> pieces;
    std::vector<bool> taken(lines.size(), false);
    std::vector<Box> tables = charts;
    for (const Box& chart : charts) pieces.push_back({{}, chart, RegionKind::picture});
    for (const Box& formula : known_formulas) pieces.push_back({{}, formula, RegionKind::formula});
    tables.insert(tables.end(), known_formulas.begin(), known_formulas.end());
    const auto formulas =
        page.formulas ? std::vector<FormulaLines>() : find_formulas(lines, page.words, body);
    auto places = margin_places(page, lines, rules, body);
    add_seen_footers(places, seen, lines, page);
    std::vector<bool> not_aligned;
    for (size_t i = 0; i < lines.size(); ++i)
      not_aligned.push_back(places[i] != Place::body || listed[i]);
    for (const FormulaLines& formula : formulas)
      for (int i : formula.lines) not_aligned[size_t(i)] = formula.alone;
    RulingLines others = rules;  // than those of algorithms
    for (const Box& box : find_algorithms(lines, page.words, rules.across, body)) {
      Piece piece{{}, box, RegionKind::text};
      piece.rows = rows_within(box, lines, page.words, body);
      for (const TextBlock& row : piece.rows)
        for (const int i : row) taken[size_t(i)] = not_aligned[size_t(i)] = true;
      pieces.push_back(std::move(piece));
      tables.push_back(box);
      for (auto* rules_of : {&others.across, &others.down})
        std::erase_if(*rules_of, [&](const Box& rule) {
          return rule.y0 >= box.y0 && rule.y1 <= box.y1 && rule.x1 > box.x0 && rule.x0 < box.x1;
        });
    }
    std::vector<TableRegion> by_rules = find_table_regions(page, lines, others, body, not_aligned);
    for (TableRegion& table :
         choose_tables(std::move(by_rules), seen, page, lines, taken, others.across, body,
                       [&](const Box& box) { return read_table(page, box); })) {
      const int cover = best_cover(found, table.box);
      const bool other = cover >= 0 && found[size_t(cover)].kind != RegionKind::table;
      if (other || is_drawing(page, table.box, others)) continue;
      Piece piece{std::move(table.lines), table.box, RegionKind::table};
      piece.cells = std::move(table.cells);
      for (int i : piece.lines) taken[i] = true;
      tables.push_back(piece.box);
      pieces.push_back(std::move(piece));
    }
    for (const Box& box : boxes_of(found, RegionKind::table)) {
      Piece piece{lines_within(box, lines), {}, RegionKind::table};
      std::erase_if(piece.lines, [&](int i) { return taken[size_t(i)]; });
      const bool known = std::any_of(tables.begin(), tables.end(), [&](const Box& table) {
        return intersect(table, box).area() * 2 > std::min(table.area(), box.area());
      });
      if (known || piece.lines.empty()) continue;
      for (const int i : piece.lines) taken[size_t(i)] = true;
      piece.box = box_of(piece.lines, lines);
      tables.push_back(piece.box);
      pieces.push_back(std::move(piece));
    }
    for (const FormulaLines& formula : formulas) {
      if (std::any_of(formula.lines.begin(), formula.lines.end(),
                      [&](int i) { return taken[size_t(i)]; }))
        continue;
      pieces.push_back({formula.lines, formula.box, RegionKind::formula});
      for (int i : formula.lines) taken[size_t(i)] = true;
      tables.push_back(formula.box);
    }
    const size_t first_picture = pieces.size();
    for (const Box& box : find_pictures(page, lines, tables))
      pieces.push_back({{}, box, RegionKind::picture});
    const size_t first_text = pieces.size();
    keep_text_above(charts, lines, places);
    for (auto place : {Place::header, Place::body, Place::footer}) {
      std::vector<int> chosen;
      for (int i = 0; i < int(lines.size()); ++i)
        if (!taken[i] && places[i] == place) chosen.push_back(i);
      std::vector<TextBlock> blocks = group_blocks(lines, chosen, page.words);
      take_in_strays(blocks, lines);
      for (TextBlock& block : blocks) {
        Piece piece{block, box_of(block, lines)};
        piece.place = place;
        pieces.push_back(piece);
      }
    }
    for (size_t t = first_text; t < pieces.size(); ++t)
      for (size_t p = first_picture; p < first_text; ++p)
        if (intersect(pieces[t].box, pieces[p].box).area() * 2 > pieces[t].box.area()) {
          pieces[t].inside = int(p);
          pieces[t].place = Place::body;
        }
    return pieces;
  }

  /// The regions that the net of whole pages finds; it is opened at the first page that needs it.
  std::vector<FoundRegion> look_at(const PageInput& page) {
    open_once(open_, page_net_);
    return page_net_ ? find_net_regions(*page_net_, page) : std::vector<FoundRegion>();
  }

  /// What the net of tables reads in a box, in pixels of the frame; no cells without a net.
  SeenTable read_table(const PageInput& page, const Box& box) {
    open_once(open_tables_, table_net_);
    if (!table_net_ || !page.image) return {};
    constexpr double kMarginPt = 4;
    const double scale = double(page.width_px) / page.image->width_px();
    const int margin = int(kMarginPt * page.dpi / 72);
    const Box crop = in_image(pad(box, margin, page.width_px, page.height_px), scale);
    SeenTable table = table_net_->read(page.image->crop(crop));
    for (GridCell& cell : table.cells)
      cell.box = {int((cell.box.x0 + crop.x0) * scale), int((cell.box.y0 + crop.y0) * scale),
                  int((cell.box.x1 + crop.x0) * scale), int((cell.box.y1 + crop.y0) * scale)};
    return table;
  }

  std::unique_ptr<LineNet> net_;
  OpenPageNet open_;          ///< empty once it was called
  OpenTableNet open_tables_;  ///< likewise
  std::unique_ptr<PageNet> page_net_;
  std::unique_ptr<TableNet> table_net_;
  bool by_regions_;
};

}  // namespace

std::unique_ptr<LayoutDetector> make_line_layout(OpenPageNet open, OpenTableNet open_tables) {
  return std::make_unique<LineLayout>(nullptr, std::move(open), std::move(open_tables), false);
}

std::unique_ptr<LayoutDetector> make_net_layout(std::unique_ptr<LineNet> net) {
  return std::make_unique<LineLayout>(std::move(net), OpenPageNet(), OpenTableNet(), false);
}

std::unique_ptr<LayoutDetector> make_region_layout(OpenPageNet open) {
  return std::make_unique<LineLayout>(nullptr, std::move(open), OpenTableNet(), true);
}

}  // namespace docspec
