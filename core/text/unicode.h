#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace docspec {

/// One character of UTF-8 text.
struct CodePoint {
  int32_t value = 0;     ///< -1 where the bytes are no UTF-8
  size_t bytes = 1;      ///< its length; for bad bytes the maximal subpart that one U+FFFD replaces
  bool cut_off = false;  ///< bad only because the text ends in the middle of it
};

/// The character that starts at `text[from]`, from < text.size(). Bad bytes are grouped as Python's
/// errors="replace", Rust's from_utf8_lossy and WHATWG do.
CodePoint code_point_at(std::string_view text, size_t from);

/// The code point at `at`, which moves to the position after it; U+FFFD for bad bytes. `at` <
/// text.size().
uint32_t next_code_point(std::string_view text, size_t& at);
/// The first and the last one of valid UTF-8; 0 of an empty text.
uint32_t first_code_point(std::string_view text);
uint32_t last_code_point(std::string_view text);
/// Appends `code_point` as UTF-8.
void append_utf8(std::string& out, uint32_t code_point);
/// Number of code points of valid UTF-8.
size_t count_code_points(std::string_view text);

/// `text` with each maximal ill-formed part replaced by U+FFFD. Idempotent.
std::string repair_utf8(std::string_view text);
/// Number of bytes at the end that begin a character whose rest has not come yet: 0..3.
size_t incomplete_tail(std::string_view text);

enum class NormalForm { nfc, nfd, nfkc, nfkd };
/// Unicode normalization of valid UTF-8. Text that is all ASCII is returned as it is.
std::string normalize_unicode(std::string_view text, NormalForm form);

/// The simple lower-case form of a code point.
uint32_t lower_case(uint32_t code_point);
/// White_Space of Unicode.
bool is_space(int32_t code_point);
/// A letter, mark, digit, connector or joiner: regex \w.
bool is_word(int32_t code_point);
/// Chinese characters, kana and their punctuation: written without blanks between words.
bool is_cjk(uint32_t code_point);
/// How many of them a valid text has.
size_t count_cjk(std::string_view text);
/// Hebrew, Arabic and their neighbours: letters written from right to left.
bool is_right_to_left(uint32_t code_point);
/// The other bracket of a pair, any other code point as it is: what is painted as ")" opens
/// right-to-left text.
uint32_t mirrored(uint32_t code_point);

}  // namespace docspec
