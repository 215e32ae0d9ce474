#include "core/text/unicode.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <new>
#include <utility>

namespace docspec {
namespace {

// Length of the character that `lead` opens and the range of its second byte; 0 = opens none.
// Source: table 3-7 of the Unicode standard.
struct Lead {
  size_t bytes;
  uint8_t low, high;
};

Lead lead_of(uint8_t lead) {
  if (lead < 0x80) return {1, 0, 0};
  if (lead >= 0xC2 && lead <= 0xDF) return {2, 0x80, 0xBF};
  if (lead == 0xE0) return {3, 0xA0, 0xBF};
  if (lead == 0xED) return {3, 0x80, 0x9F};
  if (lead >= 0xE1 && lead <= 0xEF) return {3, 0x80, 0xBF};
  if (lead == 0xF0) return {4, 0x90, 0xBF};
  if (lead >= 0xF1 && lead <= 0xF3) return {4, 0x80, 0xBF};
  if (lead == 0xF4) return {4, 0x80, 0x8F};
  return {0, 0, 0};
}

// Characters that Unicode 10 to 15 gave a combining class or a composition. The reference's tables
// are those of Unicode 9 and leave them where they stand; so must docspec, or ids would differ.
constexpr std::pair<int32_t, int32_t> kNewerMarks[] = {
    {0x7FD, 0x7FD},     {0x898, 0x89F},     {0x8CA, 0x8D3},     {0x9FE, 0x9FE},
    {0xC3C, 0xC3C},     {0xD3B, 0xD3C},     {0xEBA, 0xEBA},     {0xECE, 0xECE},
    {0x1715, 0x1715},   {0x1ABF, 0x1ACE},   {0x1DF6, 0x1DFA},   {0xA82C, 0xA82C},
    {0x10D24, 0x10D27}, {0x10EAB, 0x10EAC}, {0x10EFD, 0x10EFF}, {0x10F46, 0x10F50},
    {0x10F82, 0x10F85}, {0x11070, 0x11070}, {0x1133B, 0x1133B}, {0x1145E, 0x1145E},
    {0x11839, 0x1183A}, {0x11930, 0x11930}, {0x11938, 0x11938}, {0x1193D, 0x1193E},
    {0x11943, 0x11943}, {0x119E0, 0x119E0}, {0x11A34, 0x11A34}, {0x11A47, 0x11A47},
    {0x11A99, 0x11A99}, {0x11D42, 0x11D42}, {0x11D44, 0x11D45}, {0x11D97, 0x11D97},
    {0x11F41, 0x11F42}, {0x16FF0, 0x16FF1}, {0x1E08F, 0x1E08F}, {0x1E130, 0x1E136},
    {0x1E2AE, 0x1E2AE}, {0x1E2EC, 0x1E2EF}, {0x1E4EC, 0x1E4EF}};

bool is_newer_mark(int32_t c) {
  const auto after = std::upper_bound(std::begin(kNewerMarks), std::end(kNewerMarks), c,
                                      [](int32_t v, const auto& range) { return v < range.first; });
  return after != std::begin(kNewerMarks) && c <= std::prev(after)->second;
}

std::string normalize_run(std::string_view text, utf8proc_option_t options) {
  utf8proc_uint8_t* mapped = nullptr;
  const auto bytes = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                  utf8proc_ssize_t(text.size()), &mapped, options);
  const std::unique_ptr<utf8proc_uint8_t, decltype(&std::free)> owned(mapped, &std::free);
  if (bytes == UTF8PROC_ERROR_NOMEM) throw std::bad_alloc();
  if (bytes < 0) return std::string(text);
  return {reinterpret_cast<const char*>(mapped), size_t(bytes)};
}

}  // namespace

CodePoint code_point_at(std::string_view text, size_t from) {
  const auto byte = [&](size_t i) { return uint8_t(text[i]); };
  const Lead lead = lead_of(byte(from));
  if (lead.bytes == 0) return {-1, 1, false};
  if (lead.bytes == 1) return {byte(from), 1, false};
  int32_t value = byte(from) & (0xFF >> (lead.bytes + 1));
  for (size_t i = 1; i < lead.bytes; ++i) {
    if (from + i >= text.size()) return {-1, i, true};
    const uint8_t next = byte(from + i);
    const uint8_t low = i == 1 ? lead.low : 0x80, high = i == 1 ? lead.high : 0xBF;
    if (next < low || next > high) return {-1, i, false};
    value = value << 6 | (next & 0x3F);
  }
  return {value, lead.bytes, false};
}

uint32_t next_code_point(std::string_view text, size_t& at) {
  const CodePoint c = code_point_at(text, at);
  at += c.bytes;
  return c.value < 0 ? 0xFFFD : uint32_t(c.value);
}

void append_utf8(std::string& out, uint32_t c) {
  if (c < 0x80) {
    out += char(c);
  } else if (c < 0x800) {
    out += {char(0xC0 | (c >> 6)), char(0x80 | (c & 63))};
  } else if (c < 0x10000) {
    out += {char(0xE0 | (c >> 12)), char(0x80 | ((c >> 6) & 63)), char(0x80 | (c & 63))};
  } else {
    out += {char(0xF0 | (c >> 18)), char(0x80 | ((c >> 12) & 63)), char(0x80 | ((c >> 6) & 63)),
            char(0x80 | (c & 63))};
  }
}

size_t count_code_points(std::string_view text) {
  size_t count = 0;
  for (char c : text) count += (uint8_t(c) & 0xC0) != 0x80;
  return count;
}

std::string repair_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size();) {
    const CodePoint c = code_point_at(text, i);
    if (c.value < 0)
      out += "\xEF\xBF\xBD";
    else
      out.append(text, i, c.bytes);
    i += c.bytes;
  }
  return out;
}

size_t incomplete_tail(std::string_view text) {
  for (size_t back = 1; back <= std::min<size_t>(3, text.size()); ++back) {
    const uint8_t c = uint8_t(text[text.size() - back]);
    if (c >= 0x80 && c < 0xC0) continue;  // inside a character: its lead comes earlier
    return code_point_at(text, text.size() - back).cut_off ? back : 0;
  }
  return 0;
}

std::string normalize_unicode(std::string_view text, NormalForm form) {
  if (std::all_of(text.begin(), text.end(), [](char c) { return uint8_t(c) < 0x80; }))
    return std::string(text);
  int options = UTF8PROC_STABLE;
  options |=
      form == NormalForm::nfc || form == NormalForm::nfkc ? UTF8PROC_COMPOSE : UTF8PROC_DECOMPOSE;
  if (form == NormalForm::nfkc || form == NormalForm::nfkd) options |= UTF8PROC_COMPAT;
  std::string out;
  size_t done = 0;
  const auto finish_run = [&](size_t end) {
    if (end > done) out += normalize_run(text.substr(done, end - done), utf8proc_option_t(options));
  };
  for (size_t i = 0; i < text.size();) {
    const CodePoint c = code_point_at(text, i);
    if (is_newer_mark(c.value)) {
      finish_run(i);
      out.append(text, i, c.bytes);
      done = i + c.bytes;
    }
    i += c.bytes;
  }
  finish_run(text.size());
  return out;
}

bool is_space(int32_t c) {
  return (c >= 9 && c <= 13) || c == 0x20 || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F ||
         c == 0x3000;
}

uint32_t lower_case(uint32_t c) {
  return uint32_t(utf8proc_tolower(utf8proc_int32_t(c)));
}

bool is_word(int32_t c) {
  if (c < 0) return false;
  // Circled and squared letters are symbols, but Alphabetic; the joiners are Join_Control.
  if (c == 0x200C || c == 0x200D || (c >= 0x24B6 && c <= 0x24E9) ||
      (c >= 0x1F130 && c <= 0x1F149) || (c >= 0x1F150 && c <= 0x1F169) ||
      (c >= 0x1F170 && c <= 0x1F189))
    return true;
  switch (utf8proc_category(c)) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_PC:
      return true;
    default:
      return false;
  }
}

uint32_t first_code_point(std::string_view text) {
  size_t at = 0;
  return text.empty() ? 0 : next_code_point(text, at);
}

uint32_t last_code_point(std::string_view text) {
  if (text.empty()) return 0;
  size_t at = text.size() - 1;
  while (at > 0 && (uint8_t(text[at]) & 0xC0) == 0x80) --at;
  return next_code_point(text, at);
}

bool is_cjk(uint32_t c) {
  return (c >= 0x2E80 && c < 0x3130) || (c >= 0x3190 && c < 0xA000) ||
         (c >= 0xF900 && c < 0xFB00) || (c >= 0xFE30 && c < 0xFE50) ||
         (c >= 0xFF00 && c < 0xFFA0) || (c >= 0x20000 && c < 0x32000);
}

size_t count_cjk(std::string_view text) {
  size_t letters = 0;
  for (size_t at = 0; at < text.size();) letters += is_cjk(next_code_point(text, at));
  return letters;
}

bool is_right_to_left(uint32_t c) {
  return (c >= 0x590 && c <= 0x8FF) || (c >= 0xFB1D && c <= 0xFDFF) ||
         (c >= 0xFE70 && c <= 0xFEFF) || (c >= 0x10800 && c <= 0x10FFF) ||
         (c >= 0x1E800 && c <= 0x1EFFF);
}

uint32_t mirrored(uint32_t c) {
  static constexpr uint32_t kPairs[][2] = {
      {'(', ')'}, {'[', ']'}, {'{', '}'}, {'<', '>'}, {0xAB, 0xBB}};
  for (const auto& pair : kPairs)
    if (c == pair[0] || c == pair[1]) return c == pair[0] ? pair[1] : pair[0];
  return c;
}

}  // namespace docspec
