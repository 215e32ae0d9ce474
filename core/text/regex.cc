#include "core/text/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/text/unicode.h"

namespace docspec {
namespace {

// PCRE2's \s counts U+180E as space (it was one until Unicode 6.3); tokenizers' Oniguruma does not.
constexpr std::string_view kSpaces =
    "\\x{9}-\\x{d}\\x{20}\\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}"
    "\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}";

// \s and \S spelled out; \S inside a class cannot be and stays.
std::string spell_out_spaces(std::string_view pattern) {
  std::string out;
  bool in_class = false;
  for (size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == '\\' && i + 1 < pattern.size()) {
      const char next = pattern[++i];
      if (next == 's')
        out += in_class ? std::string(kSpaces) : "[" + std::string(kSpaces) + "]";
      else if (next == 'S' && !in_class)
        out += "[^" + std::string(kSpaces) + "]";
      else
        out += {c, next};
      continue;
    }
    if (c == '[' && !in_class)
      in_class = true;
    else if (c == ']' && in_class)
      in_class = false;
    out += c;
  }
  return out;
}

std::string message_of(int code) {
  PCRE2_UCHAR text[200] = {};
  pcre2_get_error_message(code, text, sizeof text);
  return reinterpret_cast<const char*>(text);
}

struct MatchData {
  explicit MatchData(const pcre2_code* code)
      : data(pcre2_match_data_create_from_pattern(code, nullptr)) {}
  ~MatchData() { pcre2_match_data_free(data); }
  MatchData(const MatchData&) = delete;
  MatchData& operator=(const MatchData&) = delete;
  pcre2_match_data* data;
};

}  // namespace

struct Regex::Impl {
  pcre2_code* code = nullptr;
  std::string where;
  ~Impl() { pcre2_code_free(code); }
};

Regex::Regex(std::string_view pattern, Syntax syntax, const std::string& where)
    : impl_(std::make_unique<Impl>()) {
  const bool literal = syntax == Syntax::literal;
  const std::string text = literal ? std::string(pattern) : spell_out_spaces(pattern);
  const uint32_t options = PCRE2_UTF | (literal ? PCRE2_LITERAL : PCRE2_UCP);
  int error = 0;
  size_t place = 0;
  impl_->where = where;
  impl_->code = pcre2_compile(reinterpret_cast<PCRE2_SPTR>(text.data()), text.size(), options,
                              &error, &place, nullptr);
  if (!impl_->code)
    throw Error(ExitCode::dependency, where + ": pattern does not compile: " + message_of(error));
  pcre2_jit_compile(impl_->code, PCRE2_JIT_COMPLETE);  // without JIT matching is only slower
}

Regex::~Regex() = default;
Regex::Regex(Regex&&) noexcept = default;
Regex& Regex::operator=(Regex&&) noexcept = default;

std::vector<std::pair<size_t, size_t>> Regex::find_all(std::string_view text) const {
  std::vector<std::pair<size_t, size_t>> out;
  const MatchData match(impl_->code);
  const auto* subject = reinterpret_cast<PCRE2_SPTR>(text.data());
  for (size_t from = 0; from < text.size();) {
    const auto run = [&](uint32_t options) {
      return pcre2_match(impl_->code, subject, text.size(), from, options | PCRE2_NO_UTF_CHECK,
                         match.data, nullptr);
    };
    int found = run(0);
    if (found == PCRE2_ERROR_JIT_STACKLIMIT) found = run(PCRE2_NO_JIT);
    if (found == PCRE2_ERROR_NOMATCH) break;
    if (found < 0)
      throw Error(ExitCode::dependency, impl_->where + ": pattern fails: " + message_of(found));
    const size_t* ends = pcre2_get_ovector_pointer(match.data);
    // \K can put the start of a match after its end or before the consumed text: then there is no
    // place to split.
    if (ends[0] >= from && ends[1] > ends[0]) {
      out.emplace_back(ends[0], ends[1]);
      from = ends[1];
    } else {
      from = std::max(from, ends[1]);
      if (from < text.size()) from += code_point_at(text, from).bytes;
    }
  }
  return out;
}

}  // namespace docspec
