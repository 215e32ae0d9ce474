#include "drafts/table/table_regions.h"

#include <algorithm>
#include <cstdlib>

#include "drafts/grid/blank_cells.h"
#include "drafts/grid/cell_text.h"
#include "drafts/grid/column_lines.h"
#include "drafts/grid/column_rules.h"
#include "drafts/grid/heads/spanning_heads.h"
#include "drafts/grid/ruled_table.h"
#include "drafts/grid/shaded_rows.h"
#include "drafts/lines/font_style.h"
#include "drafts/lines/leaders.h"
#include "drafts/lines/line_parts.h"
#include "drafts/lines/text_blocks.h"
#include "drafts/table/grid_cells.h"
#include "drafts/table/grow_table.h"
#include "drafts/table/open_cells.h"
#include "drafts/table/prose_columns.h"
#include "drafts/table/rows/open_rows.h"
#include "drafts/table/rule_zones.h"
#include "drafts/table/table_finder.h"
#include "drafts/table/table_heads.h"
#include "drafts/table/table_structure.h"

namespace docspec {
namespace {

class TableFinder {
 public:
  TableFinder(const PageInput& page, const std::vector<TextLine>& lines, const RulingLines& rules,
              double body_px, const std::vector<bool>& not_aligned)
      : page_(page),
        lines_(lines),
        rules_(rules),
        body_px_(body_px),
        not_aligned_(not_aligned),
        gutters_(page_columns(page, rules)),
        taken_(lines.size(), false) {}

  std::vector<TableRegion> find() {
    if (page_.image && !page_.image->empty()) {
      const bool read = !page_.words.empty(), scan = are_of_ocr(page_.words);
      if (read && !scan) add_shaded();
      if (read && !scan) add_all(find_tables_by_column_rules(rules_, page_.words, body_px_));
      add_grids(find_ruled_tables(rules_, body_px_));
      if (read) add_all(find_tables_by_column_lines(rules_, page_.words, body_px_));
      if (read) add_grids(find_crossed_tables(rules_, free_words(), body_px_));
      add_between_rules();
      if (scan && tables_.empty())  // below much that is no head OCR sees such rules
        add_all(find_tables_by_column_rules(rules_, page_.words, body_px_));
    }
    add_headed();
    add_aligned();
    add_lines_over_columns();
    return std::move(tables_);
  }

 private:
  std::vector<int> free_lines_in(const Box& box) const {
    std::vector<int> inside = lines_within(box, lines_);
    std::erase_if(inside, [&](int i) { return taken_[size_t(i)]; });
    return inside;
  }

  /// The boxes of the words that no table has.
  std::vector<Box> free_words() const {
    std::vector<Box> boxes;
    for (size_t i = 0; i < lines_.size(); ++i)
      if (!taken_[i])
        for (int w : lines_[i].words) boxes.push_back(page_.words[size_t(w)].box);
    return boxes;
  }

  void add(std::vector<int> lines, Box box, std::vector<GridCell> cells) {
    if (lies_across(lines, lines_, gutters_, rules_.across, body_px_)) return;
    for (int i : lines) taken_[size_t(i)] = true;
    box = unite(box, box_of(lines, lines_));
    tables_.push_back({std::move(lines), box, std::move(cells)});
  }

  /// Adds those tables most of whose lines are of no other.
  void add_all(std::vector<RuledTable> tables) {
    for (RuledTable& table : tables) {
      std::vector<int> inside = free_lines_in(table.box);
      if (inside.size() * 2 <= lines_within(table.box, lines_).size()) continue;
      part_open_head(table, page_.words, body_px_);
      add(std::move(inside), table.box, std::move(table.cells));
    }
  }

  /// Tables every second row of which is shaded; the edges of the shades are the rules between
  /// rows.
  void add_shaded() {
    constexpr double kReach = 12, kEdge = 0.25;  // em
    const int reach = int(kReach * body_px_);
    for (const std::vector<Box>& shades : find_shaded_rows(page_, body_px_)) {
      const Box &top = shades.front(), &last = shades.back();
      const Box box = shaded_table(shades, lines_in({top.x0, top.y0 - reach, top.x1, top.y0}),
                                   lines_in({top.x0, last.y1, top.x1, last.y1 + reach}), body_px_);
      const auto with_cells = std::count_if(shades.begin(), shades.end(), [&](const Box& shade) {
        return free_lines_in(shade).size() > 1;
      });
      // Grids have lines; shade behind headings alone has no cells.
      if (is_lined(box, rules_.down, body_px_) || size_t(with_cells) * 2 < shades.size()) continue;
      std::vector<Box> rules = rules_.across;
      for (const Box& shade : shades)
        for (const int y : {shade.y0, shade.y1}) {
          std::erase_if(rules, [&](const Box& rule) {
            return std::abs(rule.y0 + rule.y1 - 2 * y) < 2 * kEdge * body_px_;
          });
          rules.push_back({shade.x0, y, shade.x1, y + 1});
        }
      std::vector<int> inside = free_lines_in(box);
      if (auto cells = read_as_table(inside, box, rules))
        add(std::move(inside), box, std::move(*cells));
    }
  }

  void add_grids(std::vector<RuledTable> grids) {
    for (RuledTable& table : grids) {
      std::vector<int> inside = free_lines_in(table.box);
      if (inside.empty()) continue;
      if (page_.words.empty()) {  // a raster that was not read yet: rows come as one line
        if (table.cells.size() >= 6 && inside.size() >= 2) add(std::move(inside), table.box, {});
        continue;
      }
      std::vector<Box> words;
      for (int i : inside)
        for (int w : lines_[size_t(i)].words)
          if (!is_dots(page_.words[size_t(w)].text)) words.push_back(page_.words[size_t(w)].box);
      // Frames around prose are grids too.
      const size_t cells = count_open_cells(table, page_.words);
      const bool prose = words.size() > 40 * cells && !has_labels(table, words);
      const bool scan = are_of_ocr(page_.words);
      constexpr size_t kFewLines = 3;  // around the links of which frames may be drawn
      const bool used = holds_text(table, words);
      const bool form = !used && is_blank_form(table, words, page_);
      if (prose || !(used || form) || is_frame(table, page_.words, body_px_) ||
          (scan && holds_articles(table, words)) ||
          (used && (scan || inside.size() <= kFewLines) &&
           cuts_text(table, texts(inside), page_.words)))
        continue;
      if (const Box labels = labels_of(table.box);
          !labels.empty() && add_labels(table, labels.x0 - 1)) {
        const std::vector<int> beside = free_lines_in(labels);
        inside.insert(inside.end(), beside.begin(), beside.end());
      }
      cut_open_cells(table, page_.words, body_px_);
      if (!grow_heads(table, inside)) grow(table, true, inside);
      grow(table, false, inside);
      add(std::move(inside), table.box, std::move(table.cells));
    }
  }

  std::vector<TextLine> texts(const std::vector<int>& i) const { return chosen_lines(i, lines_); }
  std::vector<TextLine> lines_in(const Box& zone) const { return texts(free_lines_in(zone)); }

  /// The labels at the left of a table.
  Box labels_of(const Box& table) const {
    const Box beside{table.x0 - int(kLabelReach * body_px_), table.y0, table.x0, table.y1};
    return labels_beside(beside, lines_in(beside), lines_in(table), body_px_);
  }

  /// The lines of the heads right above y.
  std::vector<int> head_lines(int x0, int x1, int y) const {
    const std::vector<int> near = free_lines_in({x0, y - int(kHeadReach * body_px_), x1, y});
    std::vector<int> head;
    for (int k : heads_above(y, texts(near), body_px_)) head.push_back(near[size_t(k)]);
    return head;
  }

  /// Takes in the heads over a grid: between it and a rule of its own, or right above it. Their
  /// lines join `inside`.
  bool grow_heads(RuledTable& table, std::vector<int>& inside) const {
    const Box* const rule = rule_above(table.box, rules_.across, body_px_);
    const Box shade = rule ? Box() : shade_above(page_, table.box, body_px_);
    const int em = int(body_px_), x0 = table.box.x0 - em, x1 = table.box.x1 + em;
    const std::vector<int> head = rule             ? free_lines_in({x0, rule->y1, x1, table.box.y0})
                                  : !shade.empty() ? free_lines_in(shade)
                                                   : head_lines(x0, x1, table.box.y0);
    const Box zone = box_of(head, lines_);
    constexpr int kLeast = 3, kLeastShaded = 2;
    const int least = shade.empty() ? kLeast : kLeastShaded;
    if (head.empty() ||
        !add_heads(table, {x0, zone.y0 - 1, x1, table.box.y0}, page_.words, body_px_, least))
      return false;
    inside.insert(inside.end(), head.begin(), head.end());
    return true;
  }

  /// Takes in the rows next to a grid that have no lines of their own: a head below a rule, and
  /// every second row of a table that is shaded in turn. Their lines join `inside`.
  void grow(RuledTable& table, bool above, std::vector<int>& inside) {
    constexpr int kMostRows = 3;
    constexpr double kReach = 2;  // em
    const Box* const rule = above ? rule_above(table.box, rules_.across, body_px_) : nullptr;
    for (int n = 0; n < (rule ? 1 : kMostRows); ++n) {
      const int em = int(body_px_), reach = int(kReach * body_px_);
      Box zone{table.box.x0 - em, table.box.y1, table.box.x1 + em, table.box.y1 + reach};
      if (above) zone.y0 = rule ? rule->y1 : table.box.y0 - reach, zone.y1 = table.box.y0;
      std::vector<int> near = free_lines_in(zone);
      std::erase_if(
          near, [&](int i) { return std::find(inside.begin(), inside.end(), i) != inside.end(); });
      const auto rows = group_rows(texts(near));
      if (rows.empty()) return;
      std::vector<int> own;
      Box row;
      for (size_t r = 0; r < rows.size(); ++r)
        if (rule || r == (above ? rows.size() - 1 : 0))
          for (int k : rows[r]) {
            own.push_back(near[size_t(k)]);
            row = unite(row, lines_[size_t(own.back())].box);
          }
      if (!fits_columns(table, texts(own), page_.words, body_px_)) return;
      add_row(table, above ? row.y0 - 1 : row.y1 + 1);
      inside.insert(inside.end(), own.begin(), own.end());
    }
  }

  /// Text between the rules of a stack: from the first pair with rows of several cells between them
  /// to the last such pair in a row.
  void add_between_rules() {
    if (page_.words.empty()) return;
    for (const std::vector<Box>& stack : rule_stacks(rules_, page_.height_px, body_px_)) {
      Box open, rest;  // a table that goes on, and rows that are of it if cells follow
      const std::vector<RuleZone> zones = zones_of(stack);
      for (size_t i = 0; i < zones.size(); ++i) {
        const Box& zone = zones[i].box;
        const Zone kind = zone_kind(lines_in(zone), zone, body_px_);
        if (kind == Zone::cells) open = unite(open, unite(rest, zone));
        const bool heads = open.empty() && stands_over(zones, i, page_.words, body_px_);
        rest = kind == Zone::one_row && (heads || !open.empty()) ? unite(rest, zone) : Box();
        const bool ends = kind == Zone::prose || zones[i].above_heading || i + 1 == zones.size();
        if (!ends || open.empty()) continue;
        if (is_last_label(lines_in(rest), page_.words, rest, open, body_px_))
          open = unite(open, rest);
        const Box below{open.x0, open.y1, open.x1, page_.height_px};
        // Above: the row without shade, and the heads over it.
        for (const bool above : {true, true, false}) open = unite(open, row_beside(open, above));
        open = unite(open, rows_below(lines_in(open), lines_in(below), page_.words, body_px_));
        open = unite(open, labels_of(open));
        open = unite(open, head_above(open));
        add_open(open);
        open = rest = {};
      }
    }
  }

  /// Adds what stands between rules as a table; where its cells hold several things side by side,
  /// as those of tables that stand below each other, as several.
  void add_open(const Box& open) {
    std::vector<int> inside = free_lines_in(open);
    auto cells = read_as_table(inside, open, rules_.across);
    if (!cells) return;
    if (!is_torn(*cells, page_.words, body_px_))
      return add(std::move(inside), open, std::move(*cells));
    for (const Box& part : parts_at_gaps(texts(inside), body_px_)) {
      inside = free_lines_in(part);
      cells = read_as_table(inside, part, rules_.across);
      if (cells && !is_torn(*cells, page_.words, body_px_))
        add(std::move(inside), part, std::move(*cells));
    }
  }

  /// Whether a table that was found ends, or begins, at some height.
  bool touches(int y, bool begins) const {
    return std::any_of(tables_.begin(), tables_.end(), [&](const TableRegion& table) {
      return std::abs((begins ? table.box.y0 : table.box.y1) - y) * 2 < body_px_;
    });
  }

  /// The zones between the rules of a stack that do not lie between two tables, parted where a
  /// heading of another table stands, or the heads of one.
  std::vector<RuleZone> zones_of(const std::vector<Box>& stack) const {
    std::vector<RuleZone> zones;
    for (size_t i = 0; i + 1 < stack.size(); ++i) {
      const Box zone = unite(stack[i], stack[i + 1]);
      if (touches(zone.y0, false) && touches(zone.y1, true)) continue;
      cut_zone(zone, lines_in(zone), lines_in(over(stack[i])), page_.words, body_px_, zones);
    }
    return zones;
  }

  /// The row beside a stack whose rules are the edges of shade.
  Box row_beside(const Box& stack, bool above) const {
    return row_beside_shades(stack, above, lines_in({stack.x0, 0, stack.x1, page_.height_px}),
                             rules_.across, page_.words, body_px_);
  }

  /// The zone over a rule or a stack where heads may stand.
  Box over(const Box& box) const {
    return {box.x0, box.y0 - int(kHeadReach * body_px_), box.x1, box.y0};
  }

  /// The heads of columns that stand right above the first rule of a stack.
  Box head_above(const Box& stack) const {
    Box box = box_of(head_lines(stack.x0, stack.x1, stack.y0), lines_);
    const std::vector<TextLine> near = lines_in(over(stack));
    if (box.empty())
      for (int k : heads_over_rule(lines_in(stack), near, rules_.across, stack, body_px_))
        box = unite(box, near[size_t(k)].box);
    return box.x0 >= stack.x0 && box.x1 <= stack.x1 ? box : Box();
  }

  std::optional<std::vector<GridCell>> read_as_table(const std::vector<int>& inside,
                                                     const Box& stack,
                                                     std::span<const Box> rules) const {
    const std::vector<TextLine> own = texts(inside);
    size_t chars = 0;
    for (const TextLine& line : own) chars += line.chars;
    if (own.size() < 4 || stack.height() > 0.95 * page_.height_px) return std::nullopt;
    const auto listed = std::count_if(inside.begin(), inside.end(), [&](int i) {
      return lines_[size_t(i)].mono && not_aligned_[size_t(i)];
    });
    if (size_t(listed) * 3 >= inside.size()) return std::nullopt;  // programs beside text
    const auto grid = table_grid(own, page_.words, rules);
    // Columns of prose between two rules of a page have long lines.
    if (!grid || is_prose(*grid, page_.words) ||
        (grid->columns == 2 && double(chars) / double(own.size()) >= 25))
      return std::nullopt;
    return grid_cells(*grid, page_.words);
  }

  Gutters gutters() const {
    if (!page_.words.empty()) {
      Gutters found = gutters_;
      if (are_of_ocr(page_.words)) found.set_rules(rules_.down);
      found.set_walls(between_columns(found.walls(), lines_, body_px_));
      return found;
    }
    return page_.image && page_.image->width_px() == page_.width_px
               ? Gutters(find_gutter(*page_.image, page_.lines))
               : Gutters();
  }

  /// The lines that no table has and that may be of one.
  std::vector<int> lines_left() const {
    std::vector<int> left;
    for (int i = 0; i < int(lines_.size()); ++i)
      if (!taken_[size_t(i)] && !not_aligned_[size_t(i)]) left.push_back(i);
    return left;
  }

  void add_headed() {
    if (page_.words.empty()) return;
    const std::vector<int> left = lines_left();
    for (HeadedTable& table : find_headed_tables(texts(left), page_.words, rules_.across)) {
      for (int& i : table.lines) i = left[size_t(i)];
      add(std::move(table.lines), {}, grid_cells(table.grid, page_.words));
    }
  }

  void add_aligned() {
    const std::vector<int> left = lines_left();
    for (std::vector<int>& table :
         find_tables(texts(left), page_.words, page_.width_px, gutters())) {
      for (int& i : table) i = left[size_t(i)];
      const std::vector<int> near = lines_left();  // by now
      for (int k : heads_over_rule(texts(table), texts(near), rules_.across, {}, body_px_))
        table.insert(table.begin(), near[size_t(k)]);
      for (int k : lines_over_heads(texts(table), texts(near), page_.words, body_px_))
        table.insert(table.begin(), near[size_t(k)]);
      const auto grid =
          page_.words.empty() ? std::nullopt : table_grid(texts(table), page_.words, rules_.across);
      add(std::move(table), {}, grid ? grid_cells(*grid, page_.words) : std::vector<GridCell>());
    }
  }

  /// Takes what stands over several columns of a table into its head.
  void add_lines_over_columns() {
    for (auto& [own, box, cells] : tables_) {
      const std::vector<int> left = lines_left();
      for (int k : add_spanning_heads(cells, box, texts(left), page_.words, body_px_))
        own.push_back(left[size_t(k)]);
      for (int i : own) taken_[size_t(i)] = true;
    }
  }

  const PageInput& page_;
  const std::vector<TextLine>& lines_;
  const RulingLines& rules_;
  const double body_px_;
  const std::vector<bool>& not_aligned_;
  const Gutters gutters_;
  std::vector<bool> taken_;
  std::vector<TableRegion> tables_;
};

}  // namespace

std::vector<TableRegion> find_table_regions(const PageInput& page,
                                            const std::vector<TextLine>& lines,
                                            const RulingLines& rules, double body_px,
                                            const std::vector<bool>& not_aligned) {
  return TableFinder(page, lines, rules, body_px, not_aligned).find();
}

}  // namespace docspec
