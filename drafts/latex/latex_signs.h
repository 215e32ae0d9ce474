#pragma once

#include <cstdint>

namespace docspec {

/// The LaTeX of a sign or a Greek letter; nullptr where it has none of its own.
const char* latex_sign(uint32_t c);

}  // namespace docspec
