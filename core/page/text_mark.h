#pragma once

#include <cstddef>
#include <string>

namespace docspec {

/// Emphasis, code, a link, a footnote or a formula between dollars: the bytes [from, to) of a
/// plain text.
struct TextMark {
  enum class Kind { bold, italic, code, link, note, formula };
  Kind kind = Kind::bold;
  size_t from = 0, to = 0;
  std::string target = {};  ///< the address of a link, the name of a footnote; else empty
  bool operator==(const TextMark&) const = default;
};

}  // namespace docspec
