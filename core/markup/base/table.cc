#include "core/markup/base/table.h"

#include <algorithm>
#include <charconv>

#include "core/markup/base/html_tree.h"
#include "core/text/trim.h"

namespace docspec {
namespace {

int span_of(const HtmlNode& cell, const char* key) {
  const std::string value = cell.attribute(key);
  int span = 1;
  std::from_chars(value.data(), value.data() + value.size(), span);
  return std::clamp(span, 1, 1000);
}

void collect_rows(const HtmlNode& node, Table& table) {
  if (node.tag == "tr") {
    auto& row = table.rows.emplace_back();
    for (const HtmlNode& cell : node.children)
      if (cell.tag == "td" || cell.tag == "th")
        row.push_back({inner_text(cell), span_of(cell, "colspan"), span_of(cell, "rowspan"),
                       cell.tag == "th"});
    return;
  }
  for (const HtmlNode& child : node.children) collect_rows(child, table);
}

const HtmlNode* find_table(const HtmlNode& node) {
  if (node.tag == "table") return &node;
  for (const HtmlNode& child : node.children)
    if (const HtmlNode* found = find_table(child)) return found;
  return nullptr;
}

std::string pipe_cell(std::string_view text, CellText escape) {
  std::string out;
  while (true) {
    const size_t end = text.find('\n');
    out += escape(text.substr(0, end));
    if (end == std::string_view::npos) return out;
    out += "<br>";
    text.remove_prefix(end + 1);
  }
}

/// Offset of the next `mark` from `from` that no backslash escapes, else the end.
size_t find_unescaped(std::string_view text, std::string_view mark, size_t from) {
  for (size_t i = from; i < text.size(); ++i) {
    if (text.substr(i, mark.size()) == mark) return i;
    if (text[i] == '\\') ++i;
  }
  return text.size();
}

/// Undoes pipe_cell.
std::string cell_text(std::string_view cell, CellText unescape) {
  constexpr std::string_view kBreak = "<br>";
  std::string out;
  for (size_t from = 0;;) {
    const size_t end = find_unescaped(cell, kBreak, from);
    out += unescape(cell.substr(from, end - from));
    if (end == cell.size()) return out;
    out += '\n';
    from = end + kBreak.size();
  }
}

/// Cells of one `| a | b |` line, still escaped; nothing when the line is no table row.
std::optional<std::vector<std::string>> pipe_cells(const std::string& line) {
  const std::string row = trimmed(line, " \t");
  if (row.size() < 2 || row.front() != '|') return std::nullopt;
  std::vector<std::string> cells;
  for (size_t from = 1; from < row.size();) {
    const size_t end = find_unescaped(row, "|", from);
    if (end == row.size()) return std::nullopt;  // the last pipe is missing
    cells.push_back(trimmed(std::string_view(row).substr(from, end - from), " \t"));
    from = end + 1;
  }
  return cells;
}

bool is_rule(const std::vector<std::string>& cells) {
  return std::all_of(cells.begin(), cells.end(), [](const std::string& cell) {
    return cell.find('-') != std::string::npos &&
           cell.find_first_not_of("-: ") == std::string::npos;
  });
}

}  // namespace

bool Table::simple() const {
  if (rows.empty() || rows[0].empty()) return false;
  for (const auto& row : rows) {
    if (row.size() != rows[0].size()) return false;
    for (const TableCell& cell : row)
      if (cell.colspan != 1 || cell.rowspan != 1) return false;
  }
  return true;
}

std::optional<Table> parse_html_table(std::string_view html) {
  const HtmlNode body = parse_html(html);
  const HtmlNode* node = find_table(body);
  if (!node) return std::nullopt;
  Table table;
  collect_rows(*node, table);
  std::erase_if(table.rows, [](const auto& row) { return row.empty(); });
  if (table.rows.empty()) return std::nullopt;
  return table;
}

std::string render_html_table(const Table& table) {
  std::string out = "<table>";
  for (const auto& row : table.rows) {
    out += "<tr>";
    for (const TableCell& cell : row) {
      const std::string tag = cell.header ? "th" : "td";
      out += "<" + tag;
      if (cell.colspan > 1) out += " colspan=\"" + std::to_string(cell.colspan) + "\"";
      if (cell.rowspan > 1) out += " rowspan=\"" + std::to_string(cell.rowspan) + "\"";
      std::string text = escape_html(cell.text);
      for (size_t at = 0; (at = text.find('\n', at)) != std::string::npos; at += 4)
        text.replace(at, 1, "<br>");
      out += ">" + text + "</" + tag + ">";
    }
    out += "</tr>";
  }
  return out + "</table>";
}

std::string table_words(const Table& table) {
  std::string text;
  for (const auto& row : table.rows) {
    for (const TableCell& cell : row) text += cell.text + " ";
    text.back() = '\n';
  }
  text.erase(text.find_last_not_of(" \n") + 1);
  return text;
}

std::string escape_pipes(std::string_view line) {
  std::string out;
  for (char c : line) {
    if (c == '|' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string unescape_pipes(std::string_view line) {
  std::string out;
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '\\' && i + 1 < line.size() && (line[i + 1] == '|' || line[i + 1] == '\\')) ++i;
    out += line[i];
  }
  return out;
}

std::string render_pipe_table(const Table& table, CellText escape) {
  std::string out;
  for (size_t r = 0; r < table.rows.size(); ++r) {
    out += "|";
    for (const TableCell& cell : table.rows[r]) out += " " + pipe_cell(cell.text, escape) + " |";
    out += "\n";
    if (r != 0) continue;
    out += "|";
    for (size_t c = 0; c < table.rows[0].size(); ++c) out += " --- |";
    out += "\n";
  }
  if (!out.empty()) out.pop_back();
  return out;
}

std::optional<Table> parse_pipe_table(const std::vector<std::string>& lines, CellText unescape) {
  if (lines.size() < 2) return std::nullopt;
  Table table;
  for (size_t i = 0; i < lines.size(); ++i) {
    const auto cells = pipe_cells(lines[i]);
    if (!cells || (i == 1 && !is_rule(*cells))) return std::nullopt;
    if (i == 1) continue;
    auto& row = table.rows.emplace_back();
    for (const std::string& text : *cells)
      row.push_back(
          {.text = cell_text(text, unescape), .colspan = 1, .rowspan = 1, .header = false});
  }
  return table;
}

std::string render_table(const Table& table, CellText escape) {
  return table.simple() ? render_pipe_table(table, escape) : render_html_table(table);
}

}  // namespace docspec
