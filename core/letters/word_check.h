#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/document/drafter.h"
#include "core/page/page_image.h"

namespace docspec {

/// Which of two readings a third one, of the same place, speaks for.
enum class Verdict { none, page, model };

/// Compares by letters without blanks, unless nothing else differs. Numbers must be equal to one of
/// the readings. Where the model has nothing, anything unlike the page's words speaks for it.
Verdict verdict(std::string_view third, std::string_view page, std::string_view model, bool number);

/// What `ocr` reads in each box, words apart by blanks; nothing where it cannot run on this
/// machine.
std::vector<std::string> read_boxes(Drafter& ocr, const PageImage& image,
                                    std::span<const Box> boxes);

}  // namespace docspec
