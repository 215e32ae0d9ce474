#pragma once

#include <string>

namespace docspec::test {

/// Three pages of which the second keeps Poppler busy for ever: forms that draw the next form
/// twice, 40 deep. The others read "A page that can be read".
std::string pdf_that_hangs();

/// Three pages of which the second asks for more memory than a worker has: transparency groups of
/// the whole of a large page, 95 deep. Its own text, "A page that can be rescued", comes first.
std::string pdf_that_exhausts_memory();

}  // namespace docspec::test
