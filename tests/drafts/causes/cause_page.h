// The ways in which real documents were misread, each with a page of its own that is drawn here.
#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <tuple>

#include "core/text/edit_distance.h"
#include "tests/support/command.h"
#include "tests/support/sheet.h"

namespace docspec::test {

/// What has to come of a page: its truth letter by letter; the same with a few letters misread, as
/// OCR does; or a page that says that it may be wrong.
enum class Expected { truth, few_letters, doubt };

/// What is converted, and the Markdown that it says.
struct Drawn {
  std::string pdf, truth;
  Expected expected = Expected::truth;
};

/// A way in which pages were misread, a page on which it may happen, and how that is drawn.
struct Cause {
  const char* cause;
  const char* page;
  Drawn (*draw)(const Look& look);
};

inline void PrintTo(const Cause& cause, std::ostream* out) {
  *out << cause.cause << ": " << cause.page;
}

/// As TeX sets papers, as word processors set letters, and as offices set reports.
inline constexpr Look kLooks[] = {{"Paper", true, true, 10, 612, 792, 72},
                                  {"Letter", false, false, 11.5, 595, 842, 60},
                                  {"Report", true, false, 12, 595, 842, 85}};

inline Drawn drawn(const Sheet& sheet) {
  return {make_pdf({sheet.page()}), sheet.truth};
}

class CausePage : public testing::TestWithParam<std::tuple<Cause, Look>> {
 protected:
  /// Converts the page with the program itself: Poppler and Tesseract, no model.
  static CommandResult convert(const std::string& pdf) {
    return docspec({"-", "-o", "-", "--model", "none", "--draft", "text-layer,tesseract", "-q"},
                   {.input = pdf});
  }
  static void expect_truth() {
    const auto& [cause, look] = GetParam();
    const Drawn page = cause.draw(look);
    const CommandResult read = convert(page.pdf);
    const bool doubt = page.expected == Expected::doubt;
    EXPECT_EQ(read.code, doubt ? 3 : 0) << read.err << read.out;
    if (doubt)
      EXPECT_NE(read.out.find(page.truth), std::string::npos) << read.out;
    else if (page.expected == Expected::few_letters)
      EXPECT_LE(normalized_edit_distance(read.out, page.truth), 0.005) << read.out;
    else
      EXPECT_EQ(read.out + "\n", page.truth);
  }
};

inline std::string name_of(const testing::TestParamInfo<std::tuple<Cause, Look>>& info) {
  std::string name;
  for (const char c : std::string(std::get<0>(info.param).cause))
    if (std::isalnum(uint8_t(c))) name += c;
  return name + std::get<1>(info.param).name;
}

}  // namespace docspec::test
