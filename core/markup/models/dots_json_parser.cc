#include "core/markup/models/dots_json_parser.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/text/trim.h"

namespace docspec {
namespace {

constexpr std::string_view kBlank = " \t\r\n";

void append_utf8(std::string& out, uint32_t c) {
  const auto tail = [&](int shift) { out += char(0x80 | (c >> shift & 0x3f)); };
  if (c < 0x80) {
    out += char(c);
  } else if (c < 0x800) {
    out += char(0xc0 | c >> 6), tail(0);
  } else if (c < 0x10000) {
    out += char(0xe0 | c >> 12), tail(6), tail(0);
  } else {
    out += char(0xf0 | c >> 18), tail(12), tail(6), tail(0);
  }
}

class Scanner {
 public:
  explicit Scanner(std::string_view in) : in_(in) {}

  std::vector<DotsItem> scan() {
    while (at_ < in_.size()) {
      if (begins_object()) {
        flush_loose();
        object();
      } else {
        loose_ += in_[at_++];
      }
    }
    flush_loose();
    return std::move(items_);
  }

 private:
  bool end() const { return at_ >= in_.size(); }
  char here() const { return end() ? '\0' : in_[at_]; }
  void skip_blanks() { at_ = std::min(in_.size(), in_.find_first_not_of(kBlank, at_)); }
  /// The first character from `from` on that is no blank; 0 at the end.
  char next_mark(size_t from) const {
    const size_t at = in_.find_first_not_of(kBlank, from);
    return at == in_.npos ? '\0' : in_[at];
  }

  bool begins_object() const {
    if (in_[at_] != '{') return false;
    const char next = next_mark(at_ + 1);
    return next == '"' || next == '}' || next == '\0';
  }

  /// Text between objects; brackets, commas and a code fence are no text.
  void flush_loose() {
    std::string text;
    for (size_t at = 0; at < loose_.size();) {
      const std::string_view rest = std::string_view(loose_).substr(at);
      const size_t fence = rest.starts_with("```json") ? 7 : rest.starts_with("```") ? 3 : 0;
      if (fence == 0) text += rest[0];
      at += std::max<size_t>(1, fence);
    }
    loose_.clear();
    if (text.find_first_not_of(" \t\r\n[]{},:") == text.npos) return;
    items_.push_back({{}, "", trimmed(text)});
  }

  /// Whether the quote at `at` ends a string: what may follow one in JSON does. A quote that the
  /// model forgot to escape is text.
  bool ends_string(size_t at) const {
    const size_t next = in_.find_first_not_of(kBlank, at + 1);
    if (next == in_.npos || in_[next] == ':') return true;
    const char after = next_mark(next + 1);
    if (in_[next] == ',') return after == '"' || after == '{' || after == '\0';
    const bool closes = in_[next] == '}' || in_[next] == ']';
    return closes && (after == ',' || after == ']' || after == '}' || after == '{' ||
                      after == '`' || after == '\0');
  }

  std::optional<uint32_t> hex4(size_t at) const {
    uint32_t value = 0;
    if (at + 4 > in_.size()) return std::nullopt;
    const auto [stop, error] = std::from_chars(&in_[at], &in_[at] + 4, value, 16);
    return error == std::errc() && stop == &in_[at] + 4 ? std::optional(value) : std::nullopt;
  }

  /// `\uXXXX`, a pair of surrogates as one; false where it is none, or half of one.
  bool unicode_escape(std::string& out) {
    auto code = hex4(at_ + 2);
    if (!code || (*code >= 0xdc00 && *code < 0xe000)) return false;
    size_t length = 6;
    if (*code >= 0xd800 && *code < 0xdc00) {
      const auto low = in_.substr(at_ + 6, 2) == "\\u" ? hex4(at_ + 8) : std::nullopt;
      if (!low || *low < 0xdc00 || *low > 0xdfff) return false;
      code = 0x10000 + ((*code - 0xd800) << 10) + (*low - 0xdc00);
      length = 12;
    }
    append_utf8(out, *code);
    at_ += length;
    return true;
  }

  /// At a backslash. One that begins no escape of JSON (`\hat`) is text.
  void escape(std::string& out) {
    constexpr std::string_view kCodes = "\"\\/bfnrt", kMeaning = "\"\\/\b\f\n\r\t";
    if (at_ + 1 >= in_.size()) return void(++at_);  // cut off in the middle of an escape
    if (in_[at_ + 1] == 'u' && unicode_escape(out)) return;
    if (const size_t code = kCodes.find(in_[at_ + 1]); code != kCodes.npos) {
      out += kMeaning[code];
      at_ += 2;
    } else {
      out += in_[at_++];
    }
  }

  /// Reads a string; the position is at its first quote, and then after its end.
  std::string string() {
    std::string out;
    for (++at_; !end();) {
      if (here() == '\\') {
        escape(out);
      } else if (here() == '"' && ends_string(at_)) {
        ++at_;
        break;
      } else {
        out += in_[at_++];
      }
    }
    return out;
  }

  /// A number, true, null or what stands there instead.
  std::string scalar() {
    const size_t from = at_;
    at_ = std::min(in_.size(), in_.find_first_of(",}]\"", at_));
    return trimmed(in_.substr(from, at_ - from));
  }

  std::vector<double> numbers() {
    std::vector<double> out;
    while (!end() && here() != ']' && here() != '}' && here() != '"') {
      double value = 0;
      const auto [stop, error] = std::from_chars(&in_[at_], in_.data() + in_.size(), value);
      if (error == std::errc()) out.push_back(value);
      at_ += stop == &in_[at_] ? 1 : size_t(stop - &in_[at_]);
    }
    if (here() == ']') ++at_;
    return out;
  }

  static void add_text(DotsItem& item, const std::string& text) {
    if (text.empty()) return;
    if (!item.text.empty()) item.text += '\n';
    item.text += text;
  }

  /// A member's value; false at a list or object inside, which is read as a list of its own.
  bool value(DotsItem& item, const std::string& key) {
    skip_blanks();
    if (here() == '{' || (here() == '[' && (next_mark(at_ + 1) == '{'))) return false;
    if (here() == '[') {
      box(item, numbers());
    } else if (here() == '"') {
      const std::string text = string();
      key == "category" ? void(item.category = text) : add_text(item, text);
    } else if (const std::string text = scalar(); text != "null") {
      if (key == "text") add_text(item, text);
    }
    return true;
  }

  static void box(DotsItem& item, const std::vector<double>& side) {
    constexpr double kMost = 1e8;
    if (side.size() != 4 || item.box) return;
    for (const double v : side)
      if (!(std::abs(v) < kMost)) return;
    const auto px = [&](size_t i) { return int(std::lround(side[i])); };
    item.box = Box{px(0), px(1), px(2), px(3)};
  }

  void object() {
    DotsItem item;
    ++at_;
    while (true) {
      skip_blanks();
      if (end() || here() == '{') break;  // the next object began: this one was never closed
      if (here() == '}') {
        ++at_;
        break;
      }
      if (here() == ',' || here() == ']' || here() == '[' || here() == ':') {
        ++at_;
      } else if (here() != '"') {
        add_text(item, scalar());
      } else {
        const std::string key = string();
        skip_blanks();
        if (here() != ':') {
          // A string without a value; one word that the end cut off was to be a key.
          if (!end() || key.find(' ') != key.npos) add_text(item, key);
          continue;
        }
        ++at_;
        if (!value(item, key)) break;
      }
    }
    items_.push_back(std::move(item));
  }

  std::string_view in_;
  size_t at_ = 0;
  std::string loose_;
  std::vector<DotsItem> items_;
};

}  // namespace

std::vector<DotsItem> scan_dots_json(std::string_view answer) {
  return Scanner(answer).scan();
}

}  // namespace docspec
