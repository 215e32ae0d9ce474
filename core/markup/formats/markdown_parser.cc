#include "core/markup/formats/markdown_parser.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "core/markup/base/table.h"
#include "core/markup/formats/markdown_inline.h"

namespace docspec {
namespace {

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    std::string line(text.substr(0, end));
    if (!line.empty() && line.back() == '\r') line.pop_back();
    lines.push_back(std::move(line));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

bool blank(const std::string& line) {
  return line.find_first_not_of(" \t") == std::string::npos;
}

/// Length of a list marker with its blank ("- ", "12. "), 0 for none.
size_t list_marker(const std::string& line) {
  if (line.size() > 1 && (line[0] == '-' || line[0] == '*' || line[0] == '+') && line[1] == ' ')
    return 2;
  const size_t digits = line.find_first_not_of("0123456789");
  if (digits == std::string::npos || digits == 0 || digits > 9) return 0;
  const bool mark = line[digits] == '.' || line[digits] == ')';
  return mark && (digits + 1 == line.size() || line[digits + 1] == ' ') ? digits + 2 : 0;
}

size_t heading_level(const std::string& line) {
  const size_t level = line.find_first_not_of('#');
  return level != std::string::npos && level > 0 && level <= 6 && line[level] == ' ' ? level : 0;
}

/// A link's target without its %XX.
std::string decoded(std::string_view target) {
  std::string out;
  for (size_t i = 0; i < target.size(); ++i) {
    unsigned char byte = 0;
    const char* digits = target.data() + i + 1;
    if (target[i] == '%' && i + 2 < target.size() &&
        std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      out += char(byte);
      i += 2;
    } else {
      out += target[i];
    }
  }
  return out;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : lines_(split_lines(text)) {}

  std::vector<Page> run() {
    while (at_ < lines_.size()) {
      const std::string& line = lines_[at_];
      if (blank(line)) {
        ++at_;
      } else if (!comment(line) && !fence(line) && !formula(line) && !heading(line) &&
                 !image(line) && !table(line)) {
        paragraph();
      }
    }
    if (pages_.empty()) page();
    return std::move(pages_);
  }

 private:
  Page& page() {
    if (pages_.empty()) pages_.emplace_back().page = 1;
    return pages_.back();
  }

  Block& add(RegionKind kind, std::string text) {
    Block& block = page().blocks.emplace_back();
    block.id = block.order = int(page().blocks.size()) - 1;
    block.kind = kind;
    block.text = std::move(text);
    return block;
  }

  bool comment(const std::string& line) {
    if (!line.starts_with("<!-- ") || !line.ends_with(" -->")) return false;
    const std::string body = line.substr(5, line.size() - 9);
    int number = 0;
    const auto number_end =
        body.starts_with("page ")
            ? std::from_chars(body.data() + 5, body.data() + body.size(), number)
            : std::from_chars_result{body.data(), std::errc::invalid_argument};
    const size_t rest = size_t(number_end.ptr - body.data());
    if (number_end.ec == std::errc{} && rest == body.size()) {
      pages_.emplace_back().page = number;
    } else if (number_end.ec == std::errc{} && body.compare(rest, 2, ": ") == 0) {
      page_status(number, body.substr(rest + 2));
    } else if (body.starts_with("header: ")) {
      add(RegionKind::page_header, body.substr(8));
    } else if (body.starts_with("footer: ")) {
      add(RegionKind::page_footer, body.substr(8));
    } else {
      return false;
    }
    ++at_;
    return true;
  }

  /// "fallback (draft): reason"
  void page_status(int number, const std::string& text) {
    if (pages_.empty() || pages_.back().page != number) pages_.emplace_back().page = number;
    Page& p = page();
    p.status = text.starts_with("failed") ? PageStatus::failed : PageStatus::fallback;
    const size_t open = text.find('('), close = text.find("): ");
    if (open == std::string::npos || close == std::string::npos) return;
    const std::string level = text.substr(open + 1, close - open - 1);
    for (PageLevel candidate : {PageLevel::vlm, PageLevel::region, PageLevel::draft,
                                PageLevel::text_layer, PageLevel::image})
      if (name(candidate) == level) p.level = candidate;
    p.failure = Failure{ExitCode::partial, text.substr(close + 3)};
  }

  bool fence(const std::string& line) {
    if (!line.starts_with("```")) return false;
    const std::string mark = line.substr(0, line.find_first_not_of('`'));
    std::string code;
    for (++at_; at_ < lines_.size() && lines_[at_] != mark; ++at_)
      code += (code.empty() ? "" : "\n") + lines_[at_];
    if (at_ < lines_.size()) ++at_;
    add(RegionKind::code, code);
    return true;
  }

  bool formula(const std::string& line) {
    if (!line.starts_with("$$")) return false;
    std::string latex = line.substr(2);
    if (latex.ends_with("$$")) {
      latex.resize(latex.size() - 2);
      ++at_;
    } else {
      for (++at_; at_ < lines_.size() && lines_[at_] != "$$"; ++at_)
        latex += (latex.empty() ? "" : "\n") + lines_[at_];
      if (at_ < lines_.size()) ++at_;
    }
    add(RegionKind::formula, "").latex = latex;
    return true;
  }

  bool heading(const std::string& line) {
    const size_t level = heading_level(line);
    if (level == 0) return false;
    add(level == 1 ? RegionKind::title : RegionKind::section_header,
        unescape_markdown(line.substr(level + 1)))
        .level = int(level);
    ++at_;
    return true;
  }

  bool image(const std::string& line) {
    if (!line.starts_with("![") || !line.ends_with(")")) return false;
    const size_t middle = line.find("](");
    if (middle == std::string::npos) return false;
    add(RegionKind::picture, unescape_markdown(line.substr(2, middle - 2))).figure =
        decoded(line.substr(middle + 2, line.size() - middle - 3));
    ++at_;
    return true;
  }

  bool table(const std::string& line) {
    if (line.starts_with("<table")) {
      std::string html;
      while (at_ < lines_.size()) {
        html += (html.empty() ? "" : "\n") + lines_[at_++];
        if (html.find("</table>") != std::string::npos) break;
      }
      const auto parsed = parse_html_table(html);
      Block& block = add(parsed ? RegionKind::table : RegionKind::text, parsed ? "" : html);
      if (parsed) block.html = render_html_table(*parsed);
      return true;
    }
    std::vector<std::string> rows;
    for (size_t i = at_; i < lines_.size() && lines_[i].starts_with("|"); ++i)
      rows.push_back(lines_[i]);
    const auto parsed = parse_pipe_table(rows, unescape_markdown);
    if (!parsed) return false;
    add(RegionKind::table, "").html = render_html_table(*parsed);
    at_ += rows.size();
    return true;
  }

  bool opens_block(const std::string& line) const {
    return list_marker(line) || heading_level(line) || line.starts_with("```") ||
           line.starts_with("$$") || line.starts_with("<!-- ") || line.starts_with("<table");
  }

  void paragraph() {
    std::string text = lines_[at_++];
    const size_t marker = list_marker(text);
    const bool bullet = marker == 2 && (text[0] < '0' || text[0] > '9');
    if (bullet) text.erase(0, 2);
    while (at_ < lines_.size() && !blank(lines_[at_]) && !opens_block(lines_[at_])) {
      std::string line = lines_[at_++];
      text.erase(text.find_last_not_of(' ') + 1);  // what made it a line of its own
      line.erase(0, std::min(line.find_first_not_of(' '), marker ? 2 : line.size()));
      text += "\n" + line;
    }
    add(marker ? RegionKind::list_item : RegionKind::text, unescape_markdown(text));
  }

  std::vector<std::string> lines_;
  size_t at_ = 0;
  std::vector<Page> pages_;
};

}  // namespace

std::vector<Page> parse_markdown(std::string_view text) {
  return Parser(text).run();
}

}  // namespace docspec
