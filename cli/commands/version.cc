#include "cli/flags/manual.h"

namespace docspec {

std::string version_text() {
  return "docspec " DOCSPEC_VERSION
         "\n"
         "Sources: Apache-2.0. This binary is linked with Poppler and is therefore distributed "
         "under\n"
         "GPL-3.0-or-later.\n"
         "\n"
         "Poppler         GPL-2.0-or-later or GPL-3.0-or-later\n"
         "QPDF            Apache-2.0\n"
         "Tesseract       Apache-2.0\n"
         "Leptonica       BSD-2-Clause\n"
         "libtorch        BSD-3-Clause\n"
         "OpenSSL         Apache-2.0\n"
         "gumbo-parser    Apache-2.0\n"
         "PCRE2           BSD-3-Clause\n"
         "libseccomp      LGPL-2.1-only\n"
         "CLI11           BSD-3-Clause\n"
         "utf8proc        MIT\n"
         "nlohmann-json   MIT\n"
         "fmt             MIT\n"
         "\n"
         "More in share/doc/licences.md.\n";
}

}  // namespace docspec
