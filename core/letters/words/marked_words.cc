#include "core/letters/words/marked_words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <utility>

#include "core/text/unicode.h"

namespace docspec {
namespace {

bool is_alpha(char c) {
  return std::isalpha(uint8_t(c)) != 0;
}
bool is_punct(char c) {
  return std::ispunct(uint8_t(c)) != 0;
}

/// Bytes of an HTML tag; 0 for "<name>" and "<table name>", which documents write, too.
size_t tag_length(std::string_view text) {
  static constexpr std::string_view kTags[] = {
      "a",  "b",     "br",    "code", "div",  "em",    "i",  "img",    "li",
      "ol", "p",     "s",     "sub",  "sup",  "span",  "u",  "strong", "td",
      "th", "tr",    "ul",    "del",  "ins",  "small", "h1", "h2",     "h3",
      "h4", "table", "tbody", "pre",  "mark", "font",  "hr", "center", "thead"};
  const size_t end = text.find('>');
  if (end == text.npos) return 0;
  if (text.starts_with("<!--")) return end + 1;
  std::string_view inner = text.substr(1, end - 1);
  if (inner.starts_with('/')) inner.remove_prefix(1);
  if (inner.ends_with('/')) inner.remove_suffix(1);
  const size_t name = std::min(inner.find_first_of(" \n\t"), inner.size());
  const bool known =
      std::find(std::begin(kTags), std::end(kTags), inner.substr(0, name)) != std::end(kTags);
  const bool attributes =
      inner.find('=') != inner.npos || inner.find_first_not_of(' ', name) == inner.npos;
  return known && attributes ? end + 1 : 0;
}

class MarkedTextReader {
 public:
  MarkedTextReader(std::string_view text, bool markdown) : text_(text), markdown_(markdown) {}

  std::vector<MarkedWord> read() {
    while (at_ < text_.size()) {
      const CodePoint point = code_point_at(text_, at_);
      if (is_space(point.value)) {
        end_word();
        at_ += point.bytes;
      } else if (const size_t length = formula_length()) {
        add_formula(length);
      } else if (const size_t mark = mark_length()) {
        if (rest().starts_with("<br")) end_word();
        marked_ = true;
        at_ += mark;
      } else if (const size_t leader = leader_here()) {
        end_word();
        add(rest().substr(0, leader), leader);
        word_.leader = word_.fixed = true;
        end_word();
      } else if (!add_escape() && !add_entity()) {
        add(text_.substr(at_, point.bytes), point.bytes);
      }
    }
    end_word();
    return std::move(words_);
  }

 private:
  std::string_view rest() const { return text_.substr(at_); }
  char before() const { return at_ > 0 ? text_[at_ - 1] : ' '; }

  void end_word() {
    if (word_.to > word_.from) words_.push_back(std::move(word_));
    word_ = {};
    marked_ = false;
  }

  /// Appends letters that take `bytes` of the text.
  void add(std::string_view letters, size_t bytes) {
    if (word_.to == word_.from)
      word_.from = at_;
    else if (marked_)
      word_.fixed = true;
    marked_ = false;
    word_.letters += letters;
    at_ += bytes;
    word_.to = at_;
  }

  /// Bytes of dots or of a line to write on; 0 = none begins here. Three dots at the end of a word
  /// are an ellipsis.
  size_t leader_here() const {
    const size_t alone = word_.to == word_.from ? leader_length(rest(), 3) : 0;
    const bool whole = alone == rest().size() || (alone > 0 && rest()[alone] == ' ');
    return whole ? alone : leader_length(rest());
  }

  void add_formula(size_t length) {
    add(rest().substr(0, length), length);
    word_.formula = word_.fixed = true;
  }

  /// LaTeX between its delimiters, or a command outside of any; 0 = none begins here.
  size_t formula_length() const {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kPairs = {
        {{"\\(", "\\)"}, {"\\[", "\\]"}, {"$$", "$$"}}};
    const std::string_view text = rest();
    for (const auto& [open, close] : kPairs)
      if (text.starts_with(open)) {
        const size_t end = text.find(close, open.size());
        if (end != text.npos) return end + close.size();
      }
    if (text.starts_with("$") && text.size() > 1 && !std::isspace(uint8_t(text[1]))) {
      const size_t end = text.find('$', 1);  // by Pandoc's rule "$5 and $6" is none
      if (end != text.npos && end > 1 && !std::isspace(uint8_t(text[end - 1])) &&
          !(end + 1 < text.size() && std::isdigit(uint8_t(text[end + 1]))))
        return end + 1;
    }
    if (text.size() > 2 && text[0] == '\\' && is_alpha(text[1]) && is_alpha(text[2])) {
      size_t end = 1;
      while (end < text.size() && is_alpha(text[end])) ++end;
      return end;
    }
    return 0;
  }

  /// Bytes of an HTML tag, emphasis, code mark or a link's address; 0 = none is here.
  size_t mark_length() const {
    const std::string_view text = rest();
    const char next = text.size() > 1 ? text[1] : ' ';
    if (text[0] == '<' && (is_alpha(next) || next == '/' || next == '!')) return tag_length(text);
    if (markdown_ && text[0] == '`') return 1;
    if (markdown_ && text.starts_with("![")) return text.find("](") == text.npos ? 0 : 2;
    if (markdown_ && text[0] == '[') return text.find("](") == text.npos ? 0 : 1;
    if (markdown_ && text.starts_with("](")) {
      const size_t end = text.find(')');
      return end == text.npos ? 0 : end + 1;
    }
    return emphasis_length();
  }

  size_t emphasis_length() const {
    const std::string_view text = rest();
    const char c = text[0];
    if (c != '*' && !(markdown_ && c == '_')) return 0;
    size_t length = 1;
    while (length < text.size() && text[length] == c) ++length;
    constexpr size_t kMost = 3;  // more stand for letters that are hidden
    if ((!markdown_ && length < 2) || length > kMost || before() == c) return 0;
    const char next = length < text.size() ? text[length] : ' ';
    const bool after_blank = std::isspace(uint8_t(before())) != 0;
    const bool before_blank = std::isspace(uint8_t(next)) != 0;
    if (after_blank && before_blank) return 0;
    const auto inside = [](char a) { return std::isalnum(uint8_t(a)) || uint8_t(a) >= 0x80; };
    if (c == '_' && inside(before()) && inside(next)) return 0;
    return length;
  }

  bool add_escape() {
    if (!markdown_ || text_[at_] != '\\' || at_ + 1 >= text_.size() || !is_punct(text_[at_ + 1]))
      return false;
    add(text_.substr(at_ + 1, 1), 2);
    return true;
  }

  bool add_entity() {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kEntities = {
        {{"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}}};
    if (!markdown_) return false;
    for (const auto& [name, letter] : kEntities)
      if (rest().starts_with(name)) {
        add(letter, name.size());
        return true;
      }
    return false;
  }

  std::string_view text_;
  bool markdown_;
  size_t at_ = 0;
  MarkedWord word_;
  bool marked_ = false;  ///< a mark stands after the word's last letter
  std::vector<MarkedWord> words_;
};

}  // namespace

size_t leader_length(std::string_view text, size_t least) {
  if (text.empty() || (text[0] != '.' && text[0] != '_')) return 0;
  const size_t end = std::min(text.find_first_not_of(text[0]), text.size());
  return end >= least ? end : 0;
}

std::vector<MarkedWord> marked_words(std::string_view text, bool markdown) {
  return MarkedTextReader(text, markdown).read();
}

std::vector<MarkedWord> plain_words(std::string_view text) {
  std::vector<MarkedWord> out;
  bool inside = false;
  for (size_t at = 0; at < text.size();) {
    const CodePoint point = code_point_at(text, at);
    const bool letter = !is_space(point.value);
    if (letter && !inside) out.push_back({at, at, "", false, false, false});
    if (letter) {
      out.back().letters += text.substr(at, point.bytes);
      out.back().to = at + point.bytes;
    }
    inside = letter;
    at += point.bytes;
  }
  return out;
}

}  // namespace docspec
