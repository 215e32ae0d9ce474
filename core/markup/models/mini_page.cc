#include "core/markup/models/mini_page.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "core/markup/base/marked_text.h"
#include "core/markup/base/table.h"
#include "core/markup/models/mini.h"
#include "core/text/trim.h"

namespace docspec {
namespace {

constexpr int kPatchPx = 14;
constexpr int kCoordinates = 196;  // a side has at most so many patches

constexpr std::pair<std::string_view, RegionKind> kKinds[] = {
    {"<|title|>", RegionKind::title},
    {"<|section-header|>", RegionKind::section_header},
    {"<|text|>", RegionKind::text},
    {"<|list-item|>", RegionKind::list_item},
    {"<|table|>", RegionKind::table},
    {"<|formula|>", RegionKind::formula},
    {"<|picture|>", RegionKind::picture},
    {"<|caption|>", RegionKind::caption},
    {"<|footnote|>", RegionKind::footnote},
    {"<|page-header|>", RegionKind::page_header},
    {"<|page-footer|>", RegionKind::page_footer},
    {"<|code|>", RegionKind::code},
};

std::string_view tag_of(RegionKind kind) {
  for (const auto& [tag, known] : kKinds)
    if (known == kind) return tag;
  return "<|text|>";
}

std::string coordinate(int px) {
  return "<|" + std::to_string(std::clamp(px / kPatchPx, 0, kCoordinates - 1)) + "|>";
}

/// Where the next opening tag starts, and which it is; text.size() when there is none.
std::pair<size_t, const std::pair<std::string_view, RegionKind>*> next_tag(std::string_view text) {
  size_t at = text.size();
  const std::pair<std::string_view, RegionKind>* found = nullptr;
  for (const auto& entry : kKinds)
    if (const size_t here = text.find(entry.first); here < at) {
      at = here;
      found = &entry;
    }
  return {at, found};
}

/// The text without its coordinate tokens, whose numbers go to `box`, and without blanks around it.
std::string take_coordinates(std::string_view text, std::vector<int>& box) {
  std::string out;
  while (!text.empty()) {
    int number = -1;
    const size_t end = text.starts_with("<|") ? text.find("|>") : text.npos;
    if (end != text.npos && end > 2) {
      const char* const stop = text.data() + end;
      if (std::from_chars(text.data() + 2, stop, number).ptr != stop) number = -1;
    }
    if (number >= 0 && number < kCoordinates) {
      box.push_back(number);
      text.remove_prefix(end + 2);
      continue;
    }
    out += text.front();
    text.remove_prefix(1);
  }
  constexpr std::string_view kBlank = " \t\r\n";
  const size_t first = out.find_first_not_of(kBlank);
  return first == out.npos ? "" : out.substr(first, out.find_last_not_of(kBlank) + 1 - first);
}

/// Rows in pipes with a rule below the first one, if the model wrote none: the rest of a table.
std::string with_rule(const std::string& rows) {
  const size_t end = rows.find('\n');
  if (!rows.starts_with("| ") || end == rows.npos || rows.find("\n| ---") != rows.npos) return rows;
  const auto bars = std::count(rows.begin(), rows.begin() + std::ptrdiff_t(end), '|');
  std::string rule = "|";
  for (std::ptrdiff_t i = 1; i < bars; ++i) rule += " --- |";
  return rows.substr(0, end + 1) + rule + rows.substr(end);
}

/// Appends the rows of a table to those of another of as many columns; false where they are none.
bool append_rows(Block& table, const Block& more) {
  if (!table.html || !more.html) return false;
  auto first = parse_html_table(*table.html);
  const auto rest = parse_html_table(*more.html);
  if (!first || !rest || first->rows.empty() || rest->rows.empty() ||
      first->rows[0].size() != rest->rows[0].size())
    return false;
  first->rows.insert(first->rows.end(), rest->rows.begin(), rest->rows.end());
  table.html = render_html_table(*first);
  return true;
}

class MiniPageDialect : public Dialect {
 public:
  std::string render_block(const Block& block, const PageFrame& frame) const override {
    std::string out(tag_of(block.kind));
    const bool placed = frame.width_px > 0 && !(block.box_pt == PointBox{});
    const Box box = frame.to_frame(block.box_pt);
    if (placed) out += coordinate(box.x0) + coordinate(box.y0);
    if (block.kind == RegionKind::table || block.kind == RegionKind::code)
      out += block.kind == RegionKind::table ? lines_->render_block(block, frame) : block.text;
    else if (block.kind != RegionKind::picture)
      out += one_line(block.latex && block.text.empty() ? *block.latex : with_brackets(block));
    if (placed) out += coordinate(box.x1 - 1) + coordinate(box.y1 - 1);
    return out;
  }

  std::string render_page(const std::vector<Block>& blocks, const PageFrame& frame) const override {
    std::string out;
    for (const Block& block : blocks) out += render_block(block, frame);
    return out;
  }

  std::vector<Block> parse_page(std::string_view text, const PageFrame& frame) const override {
    std::vector<Block> blocks;
    auto [start, tag] = next_tag(text);
    std::vector<int> ignored;
    add_lines(take_coordinates(text.substr(0, start), ignored), frame, blocks);
    text.remove_prefix(start);
    while (tag) {
      text.remove_prefix(tag->first.size());
      const auto [end, next] = next_tag(text);
      add(tag->second, text.substr(0, end), frame, blocks);
      text.remove_prefix(end);
      tag = next;
    }
    number_blocks(blocks);
    return blocks;
  }

 private:
  void add_lines(const std::string& text, const PageFrame& frame,
                 std::vector<Block>& blocks) const {
    if (text.empty()) return;
    for (Block& block : lines_->parse_page(text, frame)) blocks.push_back(std::move(block));
  }

  void add(RegionKind kind, std::string_view body, const PageFrame& frame,
           std::vector<Block>& blocks) const {
    std::vector<int> box;
    Block block;
    block.kind = kind;
    block.text = take_coordinates(body, box);
    block.box_pt = {0, 0, frame.width_pt, frame.height_pt};
    if (box.size() == 4 && box[0] <= box[2] && box[1] <= box[3])
      block.box_pt = frame.to_points(
          {box[0] * kPatchPx, box[1] * kPatchPx, (box[2] + 1) * kPatchPx, (box[3] + 1) * kPatchPx});
    if (kind == RegionKind::picture) {
      std::string words = std::exchange(block.text, "");
      blocks.push_back(block);
      return add_lines(words, frame, blocks);
    }
    if (block.text.empty()) return;
    if (kind == RegionKind::formula)
      block.latex = block.text;
    else
      block.text = with_dollars(block.text);
    if (kind == RegionKind::table) {  // what is no table in pipes stays text, in its place
      const std::string rows = with_rule(block.text);
      std::vector<Block> read = lines_->parse_page(rows, frame);
      if (rows != block.text && read.size() == 1 && !blocks.empty() &&
          append_rows(blocks.back(), read[0]))
        return;
      for (Block& part : read) part.box_pt = block.box_pt;
      std::move(read.begin(), read.end(), std::back_inserter(blocks));
      return;
    }
    blocks.push_back(std::move(block));
  }

  std::unique_ptr<Dialect> lines_ = make_mini_dialect();  // tables, and text outside any tag
};

}  // namespace

std::unique_ptr<Dialect> make_mini_page_dialect() {
  return std::make_unique<MiniPageDialect>();
}

}  // namespace docspec
