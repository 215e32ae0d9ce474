#include "core/decode/align/token_symbols.h"

#include <string_view>

#include "core/text/tokenizer.h"
#include "core/text/unicode.h"

namespace docspec {
namespace {

constexpr int kLongestTag = 400;  ///< a "<" whose ">" is further off was no tag

bool starts_tag(uint32_t c) {
  return c == '/' || c == '!' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// White space, hyphens and dashes, marks of Markdown, characters without width.
bool skipped(uint32_t c) {
  if (c < 128) return c <= ' ' || std::string_view("-*#|_`~\\").find(char(c)) != std::string::npos;
  return is_space(int32_t(c)) || c == 0xAD || (c >= 0x2010 && c <= 0x2015) || c == 0x2212 ||
         (c >= 0x200B && c <= 0x200F) || c == 0xFEFF;
}

uint32_t folded(uint32_t c) {
  if (c == '\'' || c == 0xB4 || (c >= 0x2018 && c <= 0x201F) || c == 0xAB || c == 0xBB) return '"';
  return lower_case(c);
}

std::string_view ligature(uint32_t c) {
  constexpr std::string_view kSpelt[] = {"ff", "fi", "fl", "ffi", "ffl", "st", "st"};
  return c >= 0xFB00 && c <= 0xFB06 ? kSpelt[c - 0xFB00] : std::string_view();
}

}  // namespace

void SymbolReader::push(int32_t id, std::vector<Symbol>& out) {
  if (!tokenizer_) {
    out.push_back({uint32_t(id), 0});
    return;
  }
  if (tokenizer_->is_special(id)) return;
  const std::string_view bytes = tokenizer_->bytes_of(id);
  const size_t before = held_.size();
  held_ += bytes;
  const size_t whole = held_.size() - incomplete_tail(held_);
  for (size_t at = 0; at < whole;) {
    const auto byte = uint32_t(at > before ? at - before : 0);
    read(next_code_point(held_, at), byte, out);
  }
  held_.erase(0, whole);
}

void SymbolReader::read(uint32_t c, uint32_t byte, std::vector<Symbol>& out) {
  if (less_than_) {
    less_than_ = false;
    in_tag_ = starts_tag(c);
    tag_length_ = 0;
    if (!in_tag_) out.push_back({'<', byte});
  }
  if (in_tag_) {
    in_tag_ = c != '>' && ++tag_length_ < kLongestTag;
    return;
  }
  less_than_ = c == '<';
  if (less_than_ || skipped(c)) return;
  const std::string_view spelt = ligature(c);
  for (const char letter : spelt) out.push_back({uint32_t(letter), byte});
  if (spelt.empty()) out.push_back({folded(c), byte});
}

bool BoxReader::push(char c) {
  if (c >= '0' && c <= '9' && digits_ < 6) {
    if (digits_++ == 0 && count_ < 4) numbers_[count_] = 0;
    if (count_ < 4) numbers_[count_] = numbers_[count_] * 10 + (c - '0');
    return false;
  }
  if (digits_ > 0) ++count_;
  digits_ = 0;
  if (c == ',' || c == ' ') return false;
  const bool found = count_ == 4 && (c == '"' || c == '\'' || c == ']' || c == '>');
  if (found) box_ = {numbers_[0], numbers_[1], numbers_[2], numbers_[3]};
  count_ = 0;
  return found;
}

}  // namespace docspec
