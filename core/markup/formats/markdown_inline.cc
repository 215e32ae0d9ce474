#include "core/markup/formats/markdown_inline.h"

#include <cctype>

namespace docspec {
namespace {

bool is_punct(char c) {
  return std::ispunct(static_cast<unsigned char>(c)) != 0;
}
bool is_alnum(char c) {
  return (static_cast<unsigned char>(c) & 0x80) || std::isalnum(static_cast<unsigned char>(c));
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Offset in `line` of the character to escape so that the line opens no block; npos for none.
size_t block_marker(std::string_view line) {
  const size_t from = line.find_first_not_of(' ');
  if (from == std::string_view::npos) return from;
  const char c = line[from];
  const auto blank_after = [&](size_t at) { return at >= line.size() || line[at] == ' '; };
  if (c == '#') {
    const size_t end = line.find_first_not_of('#', from);
    return blank_after(end == std::string_view::npos ? line.size() : end) ? from
                                                                          : std::string_view::npos;
  }
  if (c == '>' || c == '|') return from;
  if (c == '-' || c == '+' || c == '=') {
    const bool rule = c != '+' && line.find_first_not_of(" -=", from) == std::string_view::npos;
    return rule || blank_after(from + 1) ? from : std::string_view::npos;
  }
  if (c == '~' && line.substr(from, 3) == "~~~") return from;
  if (c == '$' && line.substr(from, 2) == "$$") return from;
  size_t end = from;
  while (end < line.size() && is_digit(line[end])) ++end;
  if (end > from && end - from <= 9 && end < line.size() &&
      (line[end] == '.' || line[end] == ')') && blank_after(end + 1))
    return end;
  return std::string_view::npos;
}

bool must_escape(std::string_view line, size_t i) {
  const char next = i + 1 < line.size() ? line[i + 1] : '\0';
  switch (line[i]) {
    case '\\':
      return next == '\0' || is_punct(next);
    case '`':
    case '*':
      return true;
    case '_':
      return !(i > 0 && is_alnum(line[i - 1]) && is_alnum(next));
    case '<':
      return std::isalpha(static_cast<unsigned char>(next)) || next == '/' || next == '!' ||
             next == '?';
    case '[':
      return line.find("](", i) != std::string_view::npos;
    case '&': {
      const size_t end = line.find_first_of("; ", i);
      return end != std::string_view::npos && line[end] == ';' && end > i + 1;
    }
    default:
      return false;
  }
}

/// Appends `line` with its inline markup escaped, and the character at `marker`.
void append_escaped(std::string& out, std::string_view line, size_t marker) {
  for (size_t i = 0; i < line.size(); ++i) {
    if (i == marker || must_escape(line, i)) out += '\\';
    out += line[i];
  }
}

}  // namespace

std::string escape_heading(std::string_view line) {
  std::string out;
  // "# a #" would lose its last mark.
  append_escaped(out, line, line.ends_with('#') ? line.size() - 1 : std::string_view::npos);
  return out;
}

std::string escape_markdown(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 16);
  while (true) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    append_escaped(out, line, block_marker(line));
    if (end == std::string_view::npos) return out;
    out += '\n';
    text.remove_prefix(end + 1);
  }
}

std::string unescape_markdown(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && is_punct(text[i + 1])) ++i;
    out += text[i];
  }
  return out;
}

}  // namespace docspec
