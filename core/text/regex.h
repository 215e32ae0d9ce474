#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace docspec {

/// A compiled regular expression over UTF-8 (PCRE2 with Unicode properties, JIT where there is
/// one). May be used by several threads at once.
class Regex {
 public:
  enum class Syntax {
    regex,   ///< as tokenizer.json writes it (Oniguruma); \s is Unicode White_Space
    literal  ///< the text itself
  };
  /// Throws Error(dependency) "WHERE: ..." when the pattern does not compile.
  Regex(std::string_view pattern, Syntax syntax, const std::string& where);
  ~Regex();
  Regex(Regex&&) noexcept;
  Regex& operator=(Regex&&) noexcept;

  /// All matches from left to right, without overlap, as [from, to) bytes. `text` must be valid
  /// UTF-8. Throws Error(dependency) when the pattern exceeds PCRE2's limits on this text.
  std::vector<std::pair<size_t, size_t>> find_all(std::string_view text) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace docspec
