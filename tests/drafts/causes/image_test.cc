// Pages that have to be looked at: their text layer lies, is turned, or is not there.
#include <fmt/format.h>

#include <cmath>
#include <random>

#include "tests/drafts/causes/cause_page.h"

namespace docspec {
namespace {

using namespace test;

Sheet prose_page(const Look& look, size_t first, size_t count, const char* marks = "#",
                 const char* title = "Depths of the Northern Basin") {
  Sheet sheet(look);
  Column at = sheet.body();
  sheet.heading(at, marks, title, {1.7 * look.size, true});
  for (size_t i = first; i < first + count; ++i) sheet.paragraph(at, prose(i));
  return sheet;
}

PdfPage of_image(PageImage image, const Look& look) {
  PdfPage page;
  page.width = look.width;
  page.height = look.height;
  page.images.push_back({std::move(image), 0, 0, look.width, look.height});
  return page;
}

/// Letters that print as they should and whose map to text is shifted.
Drawn draw_shifted(const Look& look) {
  Sheet sheet(look);
  Column at = sheet.body();
  for (size_t i = 0; i < 6; ++i) {
    sheet.set(at, prose(i), {0, false, "F8"});
    at.y -= 0.6 * look.size;
    sheet.say(prose(i));
  }
  return drawn(sheet);
}

/// A scan whose text layer is an old OCR's noise, drawn invisibly below the image.
Drawn draw_bad_layer(const Look& look) {
  const Sheet sheet = prose_page(look, 0, 6);
  PdfPage page = of_image(scanned(sheet.page(), 200), look);
  Sheet layer(look);
  Column at = layer.body();
  std::string noise;
  for (size_t i = 0; i < 6; ++i) {
    noise = prose(i);
    for (size_t c = 0; c < noise.size(); c += 3)
      if (noise[c] != ' ') noise[c] = "1lj;~vt^"[c / 3 % 8];
    layer.set(at, noise);
    at.y -= 0.6 * look.size;
  }
  page.drawing = "3 Tr\n" + layer.content;
  return {make_pdf({page}), sheet.truth};
}

/// A scan whose text layer is an old OCR's: of a language, with words that run together.
Drawn draw_old_layer(const Look& look) {
  const Sheet sheet = prose_page(look, 0, 6);
  PdfPage page = of_image(scanned(sheet.page(), 200), look);
  Sheet layer(look);
  Column at = layer.body();
  for (size_t i = 0; i < 6; ++i) {
    std::string joined = prose(i);
    for (size_t space = joined.find(' '), k = 1; space != joined.npos;
         space = joined.find(' ', space + 1), ++k)
      if (k % 6 == 0) joined.erase(space, 1);
    layer.set(at, joined);
    at.y -= 0.6 * look.size;
  }
  page.drawing = "3 Tr\n" + layer.content;
  return {make_pdf({page}), sheet.truth};
}

/// A page of the file that is stored turned to the right and shown upright by /Rotate; its lines
/// stand in the file from the last to the first.
Drawn draw_turned(const Look& look) {
  Sheet sheet = prose_page(look, 1, 5);
  std::vector<std::string> lines;
  for (size_t at = 0; at < sheet.content.size();) {
    const size_t end = sheet.content.find('\n', at) + 1;
    lines.push_back(sheet.content.substr(at, end - at));
    at = end;
  }
  sheet.content = "q 0 1 -1 0 " + std::to_string(look.height) + " 0 cm\n";
  for (size_t i = lines.size(); i-- > 0;) sheet.content += lines[i];
  sheet.content += "Q\n";
  PdfPage page = sheet.page();
  std::swap(page.width, page.height);
  page.rotate = 90;
  return {make_pdf({page}), sheet.truth};
}

/// Text, a page that is an image alone, text.
Drawn draw_mixed(const Look& look) {
  const Sheet first = prose_page(look, 0, 5),
              second = prose_page(look, 3, 5, "##", "The Channel and its Stones"),
              third = prose_page(look, 2, 4, "##", "What Has to Be Done");
  return {make_pdf({first.page(), of_image(scanned(second.page(), 150), look), third.page()}),
          first.truth + second.truth + third.truth};
}

/// White letters on a dark page, as an image.
Drawn draw_light_on_dark(const Look& look) {
  const Sheet sheet = prose_page(look, 2, 5);
  PageImage image = scanned(sheet.page(), 150);
  for (int y = 0; y < image.height_px(); ++y)
    for (int x = 0; x < 3 * image.width_px(); ++x)
      image.row(y)[x] = uint8_t(235 - image.row(y)[x] * 200 / 255);
  return {make_pdf({of_image(std::move(image), look)}), sheet.truth};
}

/// A scan whose heading stands in white on a dark bar.
Drawn draw_dark_bar(const Look& look) {
  Sheet sheet(look);
  Column at = sheet.body();
  sheet.paragraph(at, prose(0));
  sheet.fill(look.margin - 8, at.y - 14, look.width - look.margin + 8, at.y + 12, "0.15 g");
  sheet.content += "1 g\n";
  sheet.put(look.margin, at.y - 6, "What Has to Be Done", {1.3 * look.size, true});
  sheet.content += "0 g\n";
  sheet.say("## What Has to Be Done");
  at.y -= 36;
  for (size_t i = 1; i < 5; ++i) sheet.paragraph(at, prose(i));
  return {make_pdf({of_image(scanned(sheet.page(), 200), look)}), sheet.truth,
          Expected::few_letters};
}

/// A scan of 100 dots an inch.
Drawn draw_low_resolution(const Look& look) {
  const Sheet sheet = prose_page(look, 1, 5);
  return {make_pdf({of_image(scanned(sheet.page(), 100), look)}), sheet.truth,
          Expected::few_letters};
}

/// A line of joined letters as a pen writes them: loops of uneven height, no two alike.
void write_by_hand(Sheet& sheet, double x0, double x1, double y, std::mt19937& rng) {
  std::uniform_real_distribution<double> any(0.6, 1.4);
  constexpr double kPi = 3.14159265;
  for (double x = x0; x < x1;) {
    const int letters = 3 + int(rng() % 7);
    std::string path;
    for (int i = 0; i < letters; ++i) {
      const double high = (rng() % 4 == 0 ? 15 : 6.5) * any(rng), wide = 6 * any(rng);
      const double foot = rng() % 6 == 0 ? -7 * any(rng) : 0;
      for (int k = 0; k <= 12; ++k) {
        const double turn = 2 * kPi * k / 12, up = (1 - std::cos(turn)) / 2;
        path += fmt::format("{:.1f} {:.1f} {}\n",
                            x + wide * k / 12 + 2.5 * std::sin(turn) + 0.35 * up * high,
                            y + up * high + foot * std::sin(turn / 2), path.empty() ? "m" : "l");
      }
      x += wide;
    }
    sheet.content += "0.9 w " + path + "S\n";
    x += 9 * any(rng);
  }
}

/// A printed head above a letter written by hand, which no OCR reads: the page
/// has to say so. `layer`: what an old OCR made of it, drawn invisibly.
Drawn draw_letter(const Look& look, bool layer) {
  Sheet sheet(look);
  std::mt19937 rng(uint32_t(look.size));
  sheet.put(look.margin, look.height - 70, "Harbour Office of Grey Point", {1.3 * look.size, true});
  sheet.put(look.margin, look.height - 90, "12 Quay Street");
  for (int line = 0; line < 16; ++line)
    write_by_hand(sheet, look.margin, look.width - look.margin - double(rng() % 60),
                  look.height - 140 - 34 * line, rng);
  PdfPage page = of_image(scanned(sheet.page(), 200), look);
  if (layer) {
    Sheet noise(look);
    noise.put(look.margin, look.height - 70, "Harbour Office of Grey Point");
    for (int line = 0; line < 16; ++line)
      noise.put(look.margin, look.height - 140 - 34 * line,
                "^vlw uunv(( lll,vnm ..wrl jjvvu ~mn lnv|w uvv; ,,wmll nnu");
    page.drawing = "3 Tr\n" + noise.content;
  }
  return {make_pdf({page}), "<!-- page 1: fallback", Expected::doubt};
}

Drawn draw_handwriting(const Look& look) {
  return draw_letter(look, false);
}
Drawn draw_layer_of_handwriting(const Look& look) {
  return draw_letter(look, true);
}

constexpr Cause kImages[] = {
    {"a layer that is no language", "a font with shifted codes", draw_shifted},
    {"a bad layer that was trusted", "a scan with an old OCR's noise", draw_bad_layer},
    {"a layer of an old OCR", "a scan with words run together", draw_old_layer},
    {"lines of a turned page in reverse", "a page stored sideways", draw_turned},
    {"an image of a mixed PDF dropped", "text, a scan, text", draw_mixed},
    {"light text on a dark bar", "a heading on a bar of a scan", draw_dark_bar},
    {"light text on dark", "white letters on dark paper", draw_light_on_dark},
    {"handwriting", "a letter below a printed head", draw_handwriting},
    {"a layer of handwriting", "the same with an old OCR's noise", draw_layer_of_handwriting},
    {"low resolution", "a scan of 100 dpi", draw_low_resolution},
};

class ImageCausePage : public CausePage {};
TEST_P(ImageCausePage, ReadsAsItsTruth) {
  expect_truth();
}
INSTANTIATE_TEST_SUITE_P(Causes, ImageCausePage,
                         testing::Combine(testing::ValuesIn(kImages), testing::ValuesIn(kLooks)),
                         name_of);

}  // namespace
}  // namespace docspec
