#pragma once

#include <filesystem>
#include <memory>

#include "core/document/drafter.h"

namespace docspec {

/// OCR by PP-OCRv6 small: its detector's lines, read by its recogniser; Latin letters, Chinese and
/// Japanese, no language to choose. `folder`: what packaging/deps --ocr installs. Its methods throw
/// Error(dependency) when the weights are missing or broken.
std::unique_ptr<Drafter> make_ppocr_drafter(std::filesystem::path folder);

}  // namespace docspec
