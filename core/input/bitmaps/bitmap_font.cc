#define POINTERHOLDER_TRANSITION 4  // QPDF's headers warn without it
#include "core/input/bitmaps/bitmap_font.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <qpdf/QPDFObjectHandle.hh>
#include <string_view>
#include <vector>

#include "core/base/median.h"
#include "core/input/bitmaps/tex_metrics.h"
#include "core/input/letters/byte_font.h"
#include "core/input/letters/tex_fonts.h"
#include "core/input/letters/tex_letters.h"

namespace docspec {
namespace {

/// The measures of a glyph: its advance, and its ink over the line.
struct Measures {
  double width = 0, top = 0, bottom = 0;
};

struct BitmapGlyph {
  int tex = 0;  // code
  Measures seen;
  bool ink = false;  // whether top and bottom are known
};

/// In font sizes; no width = no glyph.
Measures measures_of(const TexMetrics& metrics, int code) {
  if (code > 127) return {};
  const auto step = [&](int k) {
    const char c = metrics.glyphs[size_t(code) * 3 + size_t(k)];
    return c - '#' - (c > '\\');
  };
  return {step(0) * 0.016, step(1) * 0.048 - 3, step(2) * 0.048 - 3};
}

/// The code in TeX's font that a glyph's name is; -1 = another name.
int code_of_name(std::string_view name) {
  if (name.size() == 1) return uint8_t(name[0]);
  if (name == "BnZr") return 0;  // Ghostscript's
  if (name.starts_with('a')) name.remove_prefix(1);
  if (name.empty() || name.size() > 3 || name.find_first_not_of("0123456789") != name.npos)
    return -1;
  const int code = std::atoi(std::string(name).c_str());
  return code < 256 ? code : -1;
}

/// The ink that a glyph's program declares: "27 0 2 -9 25 19 d1".
void read_ink(const std::string& program, BitmapGlyph& glyph) {
  std::array<double, 6> numbers{};
  const char* at = program.c_str();
  for (double& number : numbers) {
    char* end = nullptr;
    number = std::strtod(at, &end);
    if (end == at) return;
    at = end;
  }
  while (*at == ' ' || *at == '\r' || *at == '\n') ++at;
  if (std::string_view(at).substr(0, 2) != "d1") return;
  glyph.seen.bottom = numbers[3];
  glyph.seen.top = numbers[5];
  glyph.ink = glyph.seen.top > glyph.seen.bottom;
}

/// The letter at a code of one of these fonts; 0 = none.
uint32_t letter_at(std::string_view font, int code) {
  if (const auto glyph = tex_glyph(font, unsigned(code))) return glyph->letter;
  const bool typed = font.starts_with("CMTT") || font.starts_with("CMITT");
  return typed && code > ' ' && code < 0x7F ? uint32_t(code) : 0;
}

/// Fills codes and widths, and returns the glyphs; none where one has another name.
std::vector<BitmapGlyph> glyphs_of(QPDFObjectHandle font, BitmapFont& out) {
  QPDFObjectHandle programs = entry(font, "/CharProcs"), widths = entry(font, "/Widths");
  QPDFObjectHandle first = entry(font, "/FirstChar");
  if (!programs.isDictionary() || !widths.isArray() || !first.isInteger()) return {};
  std::vector<BitmapGlyph> glyphs;
  for (const auto& [own, name] : named_codes(entry(font, "/Encoding"))) {
    const long long at = own - first.getIntValue();
    const std::string key = fmt::format("/{}", name);
    if (own < 0 || own > 255 || name == ".notdef" || !programs.hasKey(key)) continue;
    const int tex = code_of_name(name);
    if (tex < 0 || at < 0 || at >= widths.getArrayNItems()) return {};
    QPDFObjectHandle width = widths.getArrayItem(int(at));
    BitmapGlyph glyph{tex, {width.isNumber() ? width.getNumericValue() : 0}};
    read_ink(bytes_of(programs.getKey(key)).substr(0, 120), glyph);
    out.codes[size_t(own)] = tex;
    out.widths[size_t(tex)] = glyph.seen.width;
    if (glyph.seen.width > 0)
      glyphs.push_back(glyph);
    else if (tex < 128)  // a stroke through a sign
      out.letters[size_t(tex)] = letter_at("CMSY10", tex);
  }
  return glyphs;
}

/// How a font fits the glyphs, at the size that fits best.
struct Fit {
  const TexMetrics* metrics = nullptr;
  double distance = 1e9;  ///< the mean of the glyphs that fit, in font sizes
  double em = 0;
  std::vector<bool> others;  ///< glyphs that do not fit
};

Fit fit(const TexMetrics& metrics, const std::vector<BitmapGlyph>& glyphs) {
  constexpr double kOfInk = 0.5;       // weight next to the widths, whose steps are finer
  constexpr double kLeastWidth = 0.1;  // narrower ones fit everything
  constexpr double kFits = 0.12;
  std::vector<double> sizes;
  for (const BitmapGlyph& glyph : glyphs)
    if (const double width = measures_of(metrics, glyph.tex).width; width >= kLeastWidth)
      sizes.push_back(glyph.seen.width / width);
  if (sizes.empty()) return {};
  Fit out{&metrics, 0, median(std::move(sizes)), {}};
  size_t fitting = 0;
  for (const BitmapGlyph& glyph : glyphs) {
    const Measures own = measures_of(metrics, glyph.tex);
    double distance = own.width < kLeastWidth ? 1 : std::abs(glyph.seen.width / out.em - own.width);
    if (glyph.ink)
      distance += kOfInk * (std::abs(glyph.seen.top / out.em - own.top) +
                            std::abs(glyph.seen.bottom / out.em - own.bottom));
    out.others.push_back(distance > kFits);
    if (distance > kFits) continue;
    out.distance += distance;
    ++fitting;
  }
  // A font for text has few that do not fit.
  constexpr size_t kLeastOfText = 20, kMostOthers = 6;  // one in
  const size_t others = glyphs.size() - fitting;
  const bool text = tex_encoding(metrics.font) == TexEncoding::roman;
  if (others > 0 && (!text || fitting < kLeastOfText || others * kMostOthers > glyphs.size()))
    return {};
  out.distance /= double(fitting);
  return out;
}

/// The letter at a code of a font for text in its European edition (T1); 0 = none.
uint32_t european_letter(int code) {
  switch (code) {
    case 0xD7:
      return 0x152;
    case 0xF7:
      return 0x153;
    case 0xFF:
      return 0xDF;
    default:
      return code >= 0xC0 || (code > ' ' && code < 0x7F) ? uint32_t(code)
                                                         : bitmap_letter(uint32_t(code));
  }
}

/// Whether two fonts have the same letters at all the glyphs' codes.
bool same_letters(std::string_view a, std::string_view b, const std::vector<BitmapGlyph>& glyphs) {
  return std::all_of(glyphs.begin(), glyphs.end(), [&](const BitmapGlyph& glyph) {
    return letter_at(a, glyph.tex) == letter_at(b, glyph.tex);
  });
}

}  // namespace

std::optional<BitmapFont> read_bitmap_font(QPDFObjectHandle font) {
  constexpr double kFits = 0.05, kFarther = 1.25;
  constexpr double kLargest = 500;  // dots; outlines have units of a thousandth and finer
  QPDFObjectHandle kind = entry(font, "/Subtype");
  if (!kind.isName() || kind.getName() != "/Type3") return std::nullopt;
  BitmapFont out;
  out.codes.fill(-1);
  const std::vector<BitmapGlyph> glyphs = glyphs_of(font, out);
  if (glyphs.empty()) return std::nullopt;
  std::vector<Fit> fits;
  for (const TexMetrics& metrics : kTexMetrics) fits.push_back(fit(metrics, glyphs));
  const auto best = std::min_element(
      fits.begin(), fits.end(), [](const Fit& a, const Fit& b) { return a.distance < b.distance; });
  if (best->distance > kFits || best->em > kLargest) return std::nullopt;
  for (const Fit& other : fits)
    if (other.metrics && other.distance < kFarther * best->distance &&
        !same_letters(best->metrics->font, other.metrics->font, glyphs))
      return std::nullopt;
  out.name = best->metrics->font;
  out.em = best->em;
  for (size_t i = 0; i < glyphs.size(); ++i)
    out.letters[size_t(glyphs[i].tex)] =
        best->others[i] ? european_letter(glyphs[i].tex) : letter_at(out.name, glyphs[i].tex);
  return out;
}

}  // namespace docspec
