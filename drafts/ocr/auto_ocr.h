#pragma once

#include <memory>
#include <string>

#include "core/document/drafter.h"
#include "drafts/ocr/ppocr/reader.h"

namespace docspec {

/// The OCR engine that reads a page's script: PP-OCR where it is installed and reads it, else
/// Tesseract with the installed languages of the script. Its name is that of the engine. A page
/// whose script neither reads gives no text, and doubt() names the package to install.
/// `languages`: "auto", or Tesseract's ("eng+deu"), which decide instead of the script.
/// `ppocr`: empty = not installed.
std::unique_ptr<Drafter> make_auto_ocr(std::string languages, ppocr::OpenReader ppocr);

}  // namespace docspec
