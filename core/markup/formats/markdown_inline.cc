#include "core/markup/formats/markdown_inline.h"

#include <algorithm>
#include <cctype>

#include "core/markup/formats/harmless_markdown.h"
#include "core/text/unicode.h"

namespace docspec {
namespace {

bool is_punct(char c) {
  return std::ispunct(static_cast<unsigned char>(c)) != 0;
}
/// Whether a letter or digit stands at `at`, or ends before it: within a word "_" is no markup.
bool letter_at(std::string_view text, size_t at) {
  return at < text.size() && text[at] != '_' && is_word(int32_t(next_code_point(text, at)));
}
bool letter_before(std::string_view text, size_t at) {
  if (at == 0 || at > text.size() || text[at - 1] == '_') return false;
  return is_word(int32_t(last_code_point(text.substr(0, at))));
}

/// Offset in `line` of the character to escape so that the line opens no block; npos for none.
/// "12." at the head of a text may stay: Markdown shows an item of that very number.
size_t block_marker(std::string_view line, bool first) {
  const size_t from = line.find_first_not_of(" \t");
  if (from == std::string_view::npos) return from;
  const char c = line[from];
  const auto blank_after = [&](size_t at) {
    return at >= line.size() || line[at] == ' ' || line[at] == '\t';
  };
  // The second line of a table without outer pipes.
  if (line.find_first_not_of(" \t-:|") == std::string_view::npos && line.find('-') != line.npos)
    return from;
  if (c == '#') {
    const size_t end = line.find_first_not_of('#', from);
    return blank_after(end == std::string_view::npos ? line.size() : end) ? from
                                                                          : std::string_view::npos;
  }
  if (c == '>' || c == '|') return from;
  if ((c == '*' || c == '_') && line.find_first_not_of(std::string{' ', c}, from) == line.npos)
    return from;  // a line across the page
  const bool rule = line.find_first_not_of(" -=", from) == std::string_view::npos;
  if (c == '=') return rule && !first ? from : std::string_view::npos;  // under a heading
  if (c == '-' || c == '+')
    return (rule && c == '-') || blank_after(from + 1) ? from : std::string_view::npos;
  if (c == '~' && line.substr(from, 3) == "~~~") return from;
  if (c == '$' && line.substr(from, 2) == "$$") return from;
  const size_t mark = number_mark(line.substr(from));
  const bool zeros = mark > 1 && line[from] == '0';  // "007." would lose them
  if (mark == std::string_view::npos) return mark;
  if (!first || zeros) return from + mark;
  // The text of an item may open a block, too.
  const size_t text = from + mark + 1;
  const size_t inner = block_marker(line.substr(text), false);
  return inner == std::string_view::npos ? inner : text + inner;
}

/// Whether the `$` at `i` of `text` would begin a formula: it needs a character after it, and
/// later in the paragraph a `$` with one before it and no digit after it.
bool opens_formula(std::string_view text, size_t i) {
  const auto blank = [&](size_t at) {
    return at >= text.size() || text[at] == ' ' || text[at] == '\t' || text[at] == '\n';
  };
  if (blank(i + 1)) return false;
  for (size_t end = text.find('$', i + 1); end != text.npos; end = text.find('$', end + 1)) {
    const char next = end + 1 < text.size() ? text[end + 1] : '\0';
    if (!blank(end - 1) && !std::isdigit(static_cast<unsigned char>(next))) return true;
  }
  return false;
}

/// Whether what follows "<" may be HTML or an address in angle brackets.
bool may_open_tag(std::string_view rest) {
  if (rest.empty()) return false;
  if (rest[0] == '!' || rest[0] == '?' || rest[0] == '/') return true;
  if (!std::isalpha(static_cast<unsigned char>(rest[0]))) return false;
  const size_t end =
      rest.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-");
  return end == std::string_view::npos ||
         std::string_view(" \t\n/>:@").find(rest[end]) != rest.npos || rest.find('@') != rest.npos;
}

/// Whether runs of `mark` ("*" or "_") in a text can open and then close emphasis, taken broadly.
bool may_emphasise(std::string_view text, char mark) {
  const auto blank = [&](size_t at) {
    return at >= text.size() || std::isspace(static_cast<unsigned char>(text[at]));
  };
  bool open = false;
  for (size_t at = text.find(mark); at != text.npos; at = text.find(mark, at)) {
    const bool after_word = mark == '_' && letter_before(text, at);
    const size_t before = at - 1, end = std::min(text.find_first_not_of(mark, at), text.size());
    if (open && !blank(before) && !(mark == '_' && letter_at(text, end))) return true;
    open |= !blank(end) && !after_word;
    at = end;
  }
  return false;
}

/// Which marks a text may be emphasised by.
struct Emphasis {
  explicit Emphasis(std::string_view text)
      : star(may_emphasise(text, '*')), underscore(may_emphasise(text, '_')) {}
  bool star, underscore;
};

/// `rest`: the text from the line's start on, with the lines after it.
bool must_escape(std::string_view line, size_t i, std::string_view rest, const Emphasis& emphasis) {
  const char next = i + 1 < line.size() ? line[i + 1] : '\0';
  const bool stands_alone = i > 0 && line[i - 1] == ' ' && (next == ' ' || next == '\0');
  switch (line[i]) {
    case '\\':
      return next == '\0' || is_punct(next);
    case '`':
      return true;
    case '*':  // also the mark of a list
      return !stands_alone && (emphasis.star || (i == 0 && (next == ' ' || next == '\0')));
    case '_':
      return emphasis.underscore && !stands_alone &&
             !(letter_before(line, i) && letter_at(line, i + 1));
    case '<':
      return may_open_tag(line.substr(i + 1));
    case '[':  // cmark-gfm reads "[^1\\]:" as a note, too
      return next == '^';
    case ']':  // ends the text of a link, or the name of one at a line's start
      return next == '(' || (next == ':' && line.find_first_not_of(" \t>") == line.rfind('[', i));
    case '$':
      return opens_formula(rest, i);
    case '~':  // struck out up to the next one that ends a word, two of them on another line, too
      if (next == '~' || (i > 0 && line[i - 1] == '~')) return true;
      for (size_t end = line.find('~', i + 1); end != line.npos; end = line.find('~', end + 1))
        if (line[end - 1] != ' ') return true;
      return false;
    case '&': {
      const size_t end = line.find_first_of("; ", i);
      return end != std::string_view::npos && line[end] == ';' && end > i + 1;
    }
    default:
      return false;
  }
}

/// Appends whether each character of `line`, which `rest` begins with, needs a backslash; the one
/// at `marker` does.
void append_escapes(std::vector<bool>& out, std::string_view line, size_t marker,
                    std::string_view rest, const Emphasis& emphasis) {
  const size_t start = out.size();
  for (size_t i = 0; i < line.size(); ++i)
    out.push_back(i == marker || must_escape(line, i, rest, emphasis));
  for (size_t from = line.find_first_not_of(" \t"); from != line.npos;) {
    const size_t to = std::min(line.find_first_of(" \t", from), line.size());
    const auto first = out.begin() + std::ptrdiff_t(start);
    if (std::find(first + std::ptrdiff_t(from), first + std::ptrdiff_t(to), true) !=
        first + std::ptrdiff_t(to))
      for (const size_t at : autolink_breaks(line.substr(from, to - from)))
        out[start + from + at] = true;
    from = line.find_first_not_of(" \t", to);
  }
}

/// Whether what stands between two dollars has no blank and no word, ends with a letter, a digit or
/// a bracket, and is no number alone: "n-p", "E[X]", where "5-" of "$5-$6" are amounts of money.
bool is_plain_formula(std::string_view inner) {
  constexpr size_t kWord = 4;
  const auto is_letter = [](char c) { return std::isalpha(uint8_t(c)) != 0; };
  size_t run = 0, longest = 0;
  for (const char c : inner) longest = std::max(longest, run = is_letter(c) ? run + 1 : 0);
  const char last = inner.back();
  return longest > 0 && longest < kWord && inner.find(' ') == inner.npos &&
         (std::isalnum(uint8_t(last)) || last == ')' || last == ']' || last == '|');
}

/// Bytes of the formula between dollars that `text` begins with, where a command, an index or its
/// letters tell it from amounts of money; 0 = none.
size_t tex_length(std::string_view text) {
  const size_t length = formula_length(text);
  if (length < 3) return 0;
  const std::string_view inner = text.substr(1, length - 2);
  return inner.find_first_of("\\^_") == inner.npos && !is_plain_formula(inner) ? 0 : length;
}

std::string escaped(std::string_view text, const std::vector<bool>& escapes) {
  std::string out;
  out.reserve(text.size() + 16);
  for (size_t i = 0; i < text.size(); ++i) {
    if (escapes[i]) out += '\\';
    out += text[i];
  }
  return out;
}

}  // namespace

std::vector<size_t> autolink_breaks(std::string_view text) {
  std::vector<size_t> out;
  for (size_t at = text.find("://"); at != text.npos; at = text.find("://", at + 1))
    out.push_back(at);
  for (size_t at = text.find("www."); at != text.npos; at = text.find("www.", at + 1))
    out.push_back(at + 3);
  return out;
}

size_t number_mark(std::string_view line) {
  constexpr size_t kMostDigits = 9;  // [CommonMark] 5.2
  const size_t end = std::min(line.find_first_not_of("0123456789"), line.size());
  if (end == 0 || end > kMostDigits || end == line.size()) return std::string_view::npos;
  const bool blank_after = end + 1 == line.size() || line[end + 1] == ' ';
  return (line[end] == '.' || line[end] == ')') && blank_after ? end : std::string_view::npos;
}

std::string escape_heading(std::string_view line) {
  std::vector<bool> escapes;
  // "# a #" would lose its last mark.
  append_escapes(escapes, line, line.ends_with('#') ? line.size() - 1 : std::string_view::npos,
                 line, Emphasis(line));
  return escaped(line, escapes);
}

std::vector<bool> markdown_escapes(std::string_view text) {
  std::vector<bool> escapes;
  const Emphasis emphasis(text);
  while (true) {
    const size_t end = text.find_first_of("\n\r");
    const std::string_view line = text.substr(0, end);
    append_escapes(escapes, line, block_marker(line, escapes.empty()), text, emphasis);
    if (end == std::string_view::npos) return escapes;
    escapes.push_back(false);
    text.remove_prefix(end + 1);
  }
}

std::string escape_markdown(std::string_view text) {
  return escaped(text, markdown_escapes(text));
}

std::string escape_cell(std::string_view line) {
  std::vector<bool> escapes;
  append_escapes(escapes, line, std::string_view::npos, line, Emphasis(line));
  for (size_t at = line.find('$'); at != line.npos; at = line.find('$', at + 1)) {
    const size_t length = tex_length(line.substr(at));
    std::fill_n(escapes.begin() + std::ptrdiff_t(at), length, false);
    at += length ? length - 1 : 0;
  }
  const std::string text = escaped(line, escapes);
  std::string out;
  for (char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
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
