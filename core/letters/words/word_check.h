#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/document/drafter.h"
#include "core/page/page_image.h"

namespace docspec {

/// Which of two readings a third one, of the same place, speaks for. letters: for the page's
/// letters with blanks elsewhere. unlike: for none, and against the page's (it has nothing in
/// common with words that only the page has).
enum class Verdict { none, page, model, letters, unlike };

/// Compares by letters, case and punctuation. Numbers must be equal to one of the readings.
Verdict verdict(std::string_view third_text, std::string_view page, std::string_view model,
                bool number);

/// The same of many words, of which the third reading may misread some, but no number of the page.
Verdict passage_verdict(std::string_view third_text, std::string_view page, std::string_view model);

/// The words of `page` with the blanks of `third_text`, which has the same letters.
std::vector<std::string> with_blanks_of(std::string_view third_text, std::string_view page);

/// The text that `ocr` reads in each box, words apart by blanks; nothing if it cannot run on this
/// machine.
std::vector<std::string> read_boxes(Drafter& ocr, const PageImage& image,
                                    std::span<const Box> boxes);

/// Has `ocr` load its engine, which it else does at the first read_boxes. Throws nothing: what is
/// wrong with the engine is said then.
void prepare_to_read(Drafter& ocr);

}  // namespace docspec
