#pragma once

namespace docspec::test {

/// Under AddressSanitizer, which maps terabytes and ends the process where memory runs out: what a
/// test says of limits of memory does not hold then.
#ifdef __SANITIZE_ADDRESS__
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

}  // namespace docspec::test
