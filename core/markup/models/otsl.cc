#include "core/markup/models/otsl.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/markup/base/table.h"
#include "core/markup/formats/markdown.h"
#include "core/text/trim.h"

namespace docspec {
namespace {

enum class PlaceKind { filled, empty, left, up, both };
constexpr std::string_view kTags[] = {"<fcel>", "<ecel>", "<lcel>", "<ucel>", "<xcel>"};
constexpr std::string_view kRowEnd = "<nl>";
constexpr size_t kMostColumns = 1000;  // as many as a span of HTML may have

struct GridPlace {
  PlaceKind place = PlaceKind::empty;
  std::string text;
};
using Grid = std::vector<std::vector<GridPlace>>;

/// The tag at the start of `text`, <nl> as one after the last place; nothing if there is none.
std::optional<size_t> tag_at(std::string_view text) {
  for (size_t i = 0; i < std::size(kTags); ++i)
    if (text.starts_with(kTags[i])) return i;
  return text.starts_with(kRowEnd) ? std::optional(std::size(kTags)) : std::nullopt;
}

size_t find_tag(std::string_view text) {
  for (size_t at = text.find('<'); at != text.npos; at = text.find('<', at + 1))
    if (tag_at(text.substr(at))) return at;
  return text.npos;
}

/// `text` without the beginning of a tag that the end has cut off.
std::string_view without_cut_tag(std::string_view text) {
  const size_t at = text.rfind('<');
  if (at == text.npos || text.size() - at < 2) return text;
  const std::string_view end = text.substr(at);
  const auto begins = [&](std::string_view tag) { return end != tag && tag.starts_with(end); };
  return begins(kRowEnd) || std::any_of(std::begin(kTags), std::end(kTags), begins)
             ? text.substr(0, at)
             : text;
}

/// Takes the table at the start of `text`, which is a tag: up to the last tag of the text. Words
/// after a row's end, which belong to no cell, go to `rest`.
Grid take_grid(std::string_view text, std::string& rest) {
  Grid grid(1);
  while (!text.empty()) {
    const size_t tag = *tag_at(text);
    const bool row_end = tag == std::size(kTags);
    text.remove_prefix(row_end ? kRowEnd.size() : kTags[tag].size());
    const size_t next = std::min(find_tag(text), text.size());
    const std::string words = trimmed(text.substr(0, next));
    text.remove_prefix(next);
    if (row_end) {
      if (!grid.back().empty()) grid.emplace_back();
      if (!words.empty()) rest += (rest.empty() ? "" : "\n\n") + words;
      continue;
    }
    GridPlace place{PlaceKind(tag), words};
    if (!words.empty())
      place.place = PlaceKind::filled;  // words at a place that has none: never lost
    if (grid.back().size() < kMostColumns)
      grid.back().push_back(std::move(place));
    else if (!words.empty())
      rest += (rest.empty() ? "" : "\n\n") + words;
  }
  if (grid.back().empty()) grid.pop_back();
  return grid;
}

/// How far the cell at (row, column) reaches: to the right over <lcel>, then down over rows of
/// which every place in that width says that it belongs to the cell above.
TableCell cell_at(const Grid& grid, size_t row, size_t column,
                  const std::vector<std::vector<bool>>& taken) {
  const auto is = [&](size_t r, size_t c, PlaceKind place) {
    return r < grid.size() && c < grid[r].size() && grid[r][c].place == place && !taken[r][c];
  };
  TableCell cell;
  cell.text = grid[row][column].text;
  while (is(row, column + size_t(cell.colspan), PlaceKind::left)) ++cell.colspan;
  const auto belongs = [&](size_t r) {
    for (int i = 0; i < cell.colspan; ++i)
      if (!is(r, column + size_t(i), i == 0 ? PlaceKind::up : PlaceKind::both)) return false;
    return true;
  };
  while (belongs(row + size_t(cell.rowspan))) ++cell.rowspan;
  return cell;
}

/// Removes rows in which no cell begins, which HTML cannot show.
void remove_empty_rows(Table& table) {
  for (size_t r = table.rows.size(); r-- > 0;) {
    if (!table.rows[r].empty()) continue;
    for (size_t above = 0; above < r; ++above)
      for (TableCell& cell : table.rows[above])
        if (above + size_t(cell.rowspan) > r) --cell.rowspan;
    table.rows.erase(table.rows.begin() + std::ptrdiff_t(r));
  }
}

/// Places that belong to no cell are empty cells, rows that are too short are filled with such.
Table table_of(Grid grid) {
  size_t columns = 0;
  for (const auto& row : grid) columns = std::max(columns, row.size());
  for (auto& row : grid) row.resize(columns);
  std::vector<std::vector<bool>> taken(grid.size(), std::vector<bool>(columns));
  Table table;
  for (size_t r = 0; r < grid.size(); ++r) {
    auto& row = table.rows.emplace_back();
    for (size_t c = 0; c < columns; ++c) {
      if (taken[r][c]) continue;
      TableCell cell = cell_at(grid, r, c, taken);
      for (int i = 0; i < cell.rowspan; ++i)
        for (int j = 0; j < cell.colspan; ++j) taken[r + size_t(i)][c + size_t(j)] = true;
      row.push_back(std::move(cell));
    }
  }
  remove_empty_rows(table);
  return table;
}

std::string render_otsl(const Table& table) {
  Grid grid(table.rows.size());
  std::vector<std::vector<bool>> taken(table.rows.size());
  const auto put = [&](size_t r, size_t c, GridPlace place) {
    if (r >= grid.size()) return;  // a span that leaves the table
    if (grid[r].size() <= c) grid[r].resize(c + 1), taken[r].resize(c + 1);
    grid[r][c] = std::move(place);
    taken[r][c] = true;
  };
  for (size_t r = 0; r < table.rows.size(); ++r) {
    size_t c = 0;
    for (const TableCell& cell : table.rows[r]) {
      while (c < taken[r].size() && taken[r][c]) ++c;
      for (int i = 0; i < cell.rowspan; ++i)
        for (int j = 0; j < cell.colspan; ++j)
          put(r + size_t(i), c + size_t(j),
              {i > 0 ? j > 0 ? PlaceKind::both : PlaceKind::up : PlaceKind::left, ""});
      put(r, c, {cell.text.empty() ? PlaceKind::empty : PlaceKind::filled, cell.text});
      c += size_t(cell.colspan);
    }
  }
  std::string out;
  for (const auto& row : grid) {
    for (const GridPlace& place : row) out += std::string(kTags[size_t(place.place)]) + place.text;
    out += kRowEnd;
  }
  return out;
}

class Otsl : public Dialect {
 public:
  std::string render_block(const Block& block, const PageFrame& frame) const override {
    const auto table = block.html ? parse_html_table(*block.html) : std::nullopt;
    return table ? render_otsl(*table) : markdown_->render_block(block, frame);
  }

  std::string render_page(const std::vector<Block>& blocks, const PageFrame& frame) const override {
    std::string out;
    for (const Block& block : blocks) {
      const std::string text = render_block(block, frame);
      if (!text.empty()) out += (out.empty() ? "" : "\n\n") + text;
    }
    return out;
  }

  /// One text has one table: a tag says no more than that.
  std::vector<Block> parse_page(std::string_view text, const PageFrame& frame) const override {
    text = without_cut_tag(text);
    const size_t first = std::min(find_tag(text), text.size());
    std::vector<Block> blocks = markdown_->parse_page(text.substr(0, first), frame);
    std::string rest;
    if (first < text.size()) {
      Block block;
      block.kind = RegionKind::table;
      block.box_pt = {0, 0, frame.width_pt, frame.height_pt};
      const Table table = table_of(take_grid(text.substr(first), rest));
      block.html = render_html_table(table);
      block.text = table_words(table);
      if (!table.rows.empty()) blocks.push_back(std::move(block));
    }
    for (Block& block : markdown_->parse_page(rest, frame)) blocks.push_back(std::move(block));
    number_blocks(blocks);
    return blocks;
  }

 private:
  std::unique_ptr<Dialect> markdown_ = make_markdown_dialect();
};

}  // namespace

std::unique_ptr<Dialect> make_otsl_dialect() {
  return std::make_unique<Otsl>();
}

}  // namespace docspec
