#include "core/markup/base/marked_text.h"

#include <algorithm>
#include <cctype>

#include "core/markup/base/latex.h"
#include "core/markup/base/table.h"

namespace docspec {
namespace {

/// Appends the tables of one element, text around them as blocks of their own.
void add_tables(const Block& element, std::vector<Block>& blocks) {
  constexpr std::string_view kClose = "</table>";
  std::string_view rest = element.text;
  while (rest.find_first_not_of(" \t\r\n") != rest.npos) {
    const bool open = rest.starts_with("<table");
    const size_t close = rest.find(kClose);
    const size_t length = !open                ? std::min(rest.find("<table"), rest.size())
                          : close == rest.npos ? rest.size()
                                               : close + kClose.size();
    Block& block = blocks.emplace_back(element);
    block.text = std::string(rest.substr(0, length));
    rest.remove_prefix(length);
    if (const auto table = open ? parse_html_table(block.text) : std::nullopt) {
      block.html = render_html_table(*table);
      block.text = table_words(*table);
    } else if (block.text.find_first_not_of(" \t\r\n") == std::string::npos) {
      blocks.pop_back();
    } else if (length < element.text.size()) {
      block.kind = RegionKind::text;  // a caption or note inside the element
    }
  }
}

/// Whether what stands between two dollars is a formula, not the words between two prices.
bool is_latex(std::string_view text) {
  const bool lone = text.size() == 1 && std::isalpha(uint8_t(text[0]));
  return lone || (!text.empty() && text.front() != ' ' && text.back() != ' ' &&
                  text.find_first_of("\\^_=") != text.npos);
}

}  // namespace

size_t list_mark(std::string_view line) {
  const size_t digits = line.find_first_not_of("0123456789");
  const bool numbered = digits != line.npos && digits > 0 && digits <= 3 &&
                        (line[digits] == '.' || line[digits] == ')') &&
                        line.substr(digits + 1).starts_with(' ');
  if (numbered) return digits + 2;
  return line.starts_with("- ") || line.starts_with("* ") ? 2 : 0;
}

size_t take_hashes(std::string& text) {
  const size_t hashes = std::min(text.find_first_not_of('#'), text.size());
  if (hashes == 0 || hashes > 6 || !std::string_view(text).substr(hashes).starts_with(' '))
    return 0;
  text.erase(0, text.find_first_not_of(' ', hashes));
  return hashes;
}

std::vector<std::string> list_items(const std::string& text) {
  std::vector<std::string> items;
  for (size_t from = 0; from <= text.size();) {
    const size_t end = std::min(text.find('\n', from), text.size());
    const std::string line = text.substr(from, end - from);
    if (items.empty() || list_mark(line) > 0)
      items.push_back(line);
    else
      items.back() += "\n" + line;
    from = end + 1;
  }
  for (std::string& item : items)
    if (item.starts_with("- ") || item.starts_with("* ")) item.erase(0, 2);
  return items;
}

std::string with_marks(const Block& block, std::string_view open, std::string_view close) {
  switch (block.kind) {
    case RegionKind::title:
      return "# " + block.text;
    case RegionKind::section_header:
      return std::string(size_t(std::clamp(block.level.value_or(2), 1, 6)), '#') + " " + block.text;
    case RegionKind::list_item:
      return list_mark(block.text) > 0 ? block.text : "- " + block.text;
    case RegionKind::formula:
      return std::string(open) + block.latex.value_or(block.text) + std::string(close);
    case RegionKind::table: {
      const auto table = block.html ? parse_html_table(*block.html) : std::nullopt;
      return table ? render_html_table(*table) : block.text;
    }
    default:
      return block.text;
  }
}

void add_element(Block element, std::string_view display, std::vector<Block>& blocks) {
  if (element.kind == RegionKind::table) return add_tables(element, blocks);
  if (element.kind == RegionKind::list_item) {
    for (std::string& item : list_items(element.text)) {
      blocks.push_back(element);
      blocks.back().text = std::move(item);
    }
    return;
  }
  if (element.kind == RegionKind::title || element.kind == RegionKind::section_header) {
    const size_t level = take_hashes(element.text);
    if (level > 0 && element.kind == RegionKind::section_header) element.level = int(level);
  } else if (element.kind == RegionKind::formula) {
    const std::string latex = bare_latex(element.text);
    if (latex.find(display) == latex.npos) element.latex = element.text = latex;
  }
  blocks.push_back(std::move(element));
}

std::string with_brackets(const Block& block) {
  std::string out;
  size_t at = 0;
  const auto add = [&](size_t from, size_t to) {
    out += block.text.substr(at, from - at);
    out += "\\(" + bare_latex(block.text.substr(from, to - from)) + "\\)";
    at = to;
  };
  bool marked = false;
  for (const TextMark& mark : block.marks) {
    if (mark.kind != TextMark::Kind::formula || mark.from < at || mark.to > block.text.size())
      continue;
    add(mark.from, mark.to);
    marked = true;
  }
  const std::string_view text = block.text;
  for (size_t from = 0; !marked && (from = text.find('$', from)) != text.npos;) {
    const size_t to = text.find('$', from + 1);
    if (to == text.npos) break;
    if (is_latex(text.substr(from + 1, to - from - 1))) {
      add(from, to + 1);
      from = to + 1;
    } else {
      from = to;
    }
  }
  return out + block.text.substr(at);
}

std::string with_dollars(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const size_t open = text.find("\\("), close = text.find("\\)", open);
    if (open == text.npos || close == text.npos) break;
    out += text.substr(0, open);
    out += '$' + bare_latex(std::string(text.substr(open + 2, close - open - 2))) + '$';
    text.remove_prefix(close + 2);
  }
  return out.append(text);
}

}  // namespace docspec
