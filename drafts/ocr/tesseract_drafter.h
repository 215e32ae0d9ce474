#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/document/drafter.h"

namespace docspec {

/// OCR by Tesseract's LSTM: each region as one block (PSM 6) or one line (PSM 7), ruling lines
/// painted out. One engine (about 16 MB), loaded at the first page and reused; about 2.5 ms a word.
/// `languages` as Tesseract writes them ("eng+deu"). Its methods throw Error(dependency) naming the
/// language and its Debian package when the trained data is missing.
std::unique_ptr<Drafter> make_tesseract_drafter(std::string languages);

/// What Tesseract's script detection (OSD) makes of a page.
struct PageScript {
  std::string name;     ///< "Latin", "Cyrillic", "Han", ...
  bool upright = true;  ///< false: it stands on its head or on a side
};

/// About 0.25 s; nothing when it cannot tell or its data (tesseract-ocr-osd) is missing.
std::optional<PageScript> guess_script(const PageImage& page);

/// Languages whose trained data Tesseract finds on this machine; empty when it finds none.
std::vector<std::string> tesseract_languages();

}  // namespace docspec
