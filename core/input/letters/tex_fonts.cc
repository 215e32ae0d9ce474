#include "core/input/letters/tex_fonts.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <span>
#include <string>
#include <utility>

#include "core/text/unicode.h"

namespace docspec {
namespace {

/// Letters of codes in a row, from `first` on.
struct TexRun {
  unsigned first;
  std::u32string_view letters;
};

/// The encodings of Computer Modern and of the AMS's fonts, as their TeX metrics name the glyphs;
/// that of PostScript's Symbol. Digits and Latin letters have their own codes.
constexpr TexRun kItalic[] = {
    {0x00, U"ΓΔΘΛΞΠΣΥΦΨΩαβγδϵζηθικλμν"},
    {0x18, U"ξπρστυϕχψωεϑϖϱςφ↼↽⇀⇁\uE001\uE002▷◁"},
    {0x3A, U".,</>⋆∂"},
    {0x5B, U"♭♮♯⌣⌢ℓ"},
    {0x7B, U"ıȷ℘\u20D7\u0311"},
};

constexpr TexRun kSymbols[] = {
    {0x00, U"−·×∗÷⋄±∓⊕⊖⊗⊘⊙◯◦•≍≡⊆⊇≤≥⪯⪰"},
    {0x18, U"∼≈⊂⊃≪≫≺≻←→↑↓↔↗↘≃⇐⇒⇑⇓⇔↖↙∝"},
    {0x30, U"′∞∈∋△▽\u0338\uE000∀∃¬∅ℜℑ⊤⊥ℵ"},
    {0x5B, U"∪∩⊎∧∨⊢⊣⌊⌋⌈⌉{}⟨⟩|‖↕⇕∖≀√⨿∇"},
    {0x73, U"∫⊔⊓⊑⊒§†‡¶♣♢♡♠"},
};

constexpr TexRun kLarge[] = {
    {0x00, U"()[]⌊⌋⌈⌉{}⟨⟩|‖/∖()()[]⌊⌋"},
    {0x18, U"⌈⌉{}⟨⟩/∖()[]⌊⌋⌈⌉{}⟨⟩/∖/∖"},
    {0x30, U"⎛⎞⎡⎤⎣⎦⎢⎥⎧⎫⎩⎭⎨⎬⎪|⎝⎠⎜⎟⟨⟩⊔⨆"},
    {0x48, U"∮∮⨀⨀⨁⨁⨂⨂∑∏∫⋃⋂⨄⋀⋁∑∏∫⋃⋂⨄⋀⋁"},
    {0x60, U"∐∐\u0302\u0302\u0302\u0303\u0303\u0303[]⌊⌋⌈⌉{}√√√√⎷⏐⎾‖"},
    {0x78, U"↑↓\uE010\uE011\uE012\uE013⇑⇓"},
};

/// The integrals of esint, each in two sizes.
constexpr TexRun kIntegrals[] = {
    {0x01, U"∫∫∬∬∭∭⨌⨌"},
    {0x0B, U"∮∮∯∯"},
    {0x17, U"∳∳∲∲∲∲∳∳"},
};

constexpr TexRun kAmsA[] = {
    {0x00, U"⊡⊞⊠□■·♢♦⟳⟲⇌⇋⊟⊩⊪⊨↠↞⇔⇒⇈⇊↾⇂"}, {0x18, U"↿⇃↣↢⇆⇄↰↱⇝↭↫↬⊜≿≳⪆⊸∴∵≑≜≾≲⪅"},
    {0x30, U"⪕⪖⋞⋟≼≦⩽≶‵−≓≒≽≧⩾≷⊏⊐▷◁⊵⊴★≬"}, {0x48, U"▼▶◀→←△▲▽≖⋚⋛⪋⪌¥⇛⇚✓⊻⊼⩞∠∡∢∝"},
    {0x60, U"⌣⌢⋐⋑⋓⋒⋏⋎⋋⋌⫅⫆≏≎⋘⋙⌜⌝®Ⓢ⋔∔∽⋍"}, {0x78, U"⌞⌟✠∁⊺⊚⊛⊖"},
};

constexpr TexRun kAmsB[] = {
    {0x00, U"≨≩≰≱≮≯⊀⊁≨≩≰≱⪇⪈⋠⋡⋨⋩≰≱≰≱⪵⪶"},
    {0x18, U"⪹⪺⪉⪊≁≇⧸⧹⊊⊋⊈⊉⊊⊋⊊⊋⊊⊋⊈⊉∦∤∤∦"},
    {0x30, U"⊬⊮⊭⊯⋭⋬⋪⋫↚↛⇍⇏⇎↮⋇∅∄"},
    {0x60, U"Ⅎ⅁\u0302\u0302\u0303\u0303℧ð≂ℶℷℸ⋖⋗⋉⋊∣∥∖∼≈≊≿≾"},
    {0x78, U"↶↷ϝϰ𝕜ℏℏ϶"},
};

constexpr TexRun kPostScript[] = {
    {0x22, U"∀"},
    {0x24, U"∃"},
    {0x27, U"∋"},
    {0x2A, U"∗"},
    {0x2D, U"−"},
    {0x40, U"≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩ"},
    {0x58, U"ΞΨΖ"},
    {0x5C, U"∴"},
    {0x5E, U"⊥"},
    {0x61, U"αβχδεϕγηιφκλμνοπθρστυϖωξ"},
    {0x79, U"ψζ"},
    {0x7E, U"∼"},
    {0xA1, U"ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷"},
    {0xB9, U"≠≡≈…|—↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠"},
    {0xD1, U"∇"},
    {0xD5, U"∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨"},
    {0xE5, U"∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪"},
    {0xF1, U"⟩∫"},
    {0xF6, U"⎞⎟⎠⎤⎥⎦⎫⎬⎭"},
};

constexpr TexRun kRoman[] = {
    {0x00, U"ΓΔΘΛΞΠΣΥΦΨΩﬀﬁﬂﬃﬄıȷ\u0300\u0301\u030C\u0306\u0304\u030A"},
    {0x18, U"¸ßæœøÆŒØ"},
};

uint32_t find(std::span<const TexRun> runs, unsigned code) {
  for (const TexRun& run : runs)
    if (code >= run.first && code < run.first + run.letters.size())
      return uint32_t(run.letters[code - run.first]);
  return 0;
}

bool is_capital(unsigned code) {
  return code >= 'A' && code <= 'Z';
}
bool is_small(unsigned code) {
  return code >= 'a' && code <= 'z';
}

/// Capitals of an alphabet in Unicode, which had some of them before the others.
uint32_t capital(unsigned code, uint32_t first, std::string_view named,
                 std::u32string_view letters) {
  const size_t at = named.find(char(code));
  return at == named.npos ? first + (code - 'A') : uint32_t(letters[at]);
}
uint32_t double_struck_capital(unsigned code) {
  return capital(code, 0x1D538, "CHNPQRZ", U"ℂℍℕℙℚℝℤ");
}
uint32_t script_capital(unsigned code) {
  return capital(code, 0x1D49C, "BEFHILMR", U"ℬℰℱℋℐℒℳℛ");
}

/// The ink of a large sign, which hangs from the line; of accents and braces on their side it
/// stands on it.
TexGlyph large_glyph(unsigned code) {
  TexGlyph glyph{find(kLarge, code), 0.04, 0.6};
  const auto within = [&](unsigned from, unsigned to) { return code >= from && code <= to; };
  if (within(0x62, 0x67)) return {glyph.letter, 0.75, -0.5};
  if (within(0x7A, 0x7D)) return {glyph.letter, 0.12, 0.1};
  if (code <= 0x0B || within(0x0E, 0x0F) || code == 0x70) glyph.below = 1.16;
  if (within(0x10, 0x11) || within(0x2E, 0x35) || within(0x40, 0x41) || within(0x44, 0x45) ||
      within(0x68, 0x6F) || code == 0x71)
    glyph.below = 1.76;
  if (within(0x12, 0x1F) || code == 0x72) glyph.below = 2.36;
  if (within(0x20, 0x2D) || code == 0x73) glyph.below = 2.96;
  if (within(0x38, 0x3B)) glyph.below = 0.9;
  if (within(0x3C, 0x3D) || code == 0x74) glyph.below = 1.8;
  if (code == 0x3E) glyph.below = 0.3;
  if (within(0x46, 0x61)) {
    const bool display =
        within(0x58, 0x5F) || code == 0x61 || (within(0x46, 0x4F) && code % 2 == 1);
    glyph.below = display ? 1.5 : 1.0;
  }
  if (code == 0x52 || code == 0x48) glyph.below = 1.11;
  if (code == 0x5A || code == 0x49) glyph.below = 2.22;
  return glyph;
}

/// The code that a large sign of newtx and newpx has in the fonts of before: these add others of
/// its kind after them.
unsigned large_code(unsigned code) {
  static constexpr std::pair<unsigned, std::string_view> kMore[] = {
      {0xAF, "\x52..\x48.\x52..\x48.\x5A..\x49.\x5A..\x49."},
      {0xC3, "\x46\x47..\x4A\x4B\x4C\x4D\x4E\x4F"},
      {0xCD, "\x50\x51.\x53\x54\x55\x56\x57\x58\x59.\x5B\x5C\x5D\x5E\x5F\x60\x61"},
  };
  for (const auto& [first, codes] : kMore)
    if (code >= first && code - first < codes.size() && codes[code - first] != '.')
      return unsigned(codes[code - first]);
  return code;
}

bool starts_with(std::string_view font, std::initializer_list<std::string_view> names) {
  return std::any_of(names.begin(), names.end(),
                     [&](std::string_view name) { return font.starts_with(name); });
}

uint32_t roman_letter(unsigned code) {
  switch (code) {
    case 0x22:
      return 0x201D;
    case 0x27:
      return 0x2019;
    case 0x3C:
      return 0xA1;
    case 0x3E:
      return 0xBF;
    case 0x5C:
      return 0x201C;
    case 0x5E:
      return 0x302;
    case 0x5F:
      return 0x307;
    case 0x60:
      return 0x2018;
    case 0x7B:
      return 0x2013;
    case 0x7C:
      return 0x2014;
    case 0x7D:
      return 0x30B;
    case 0x7E:
      return 0x303;
    case 0x7F:
      return 0x308;
    default:
      return code < 0x20 ? find(kRoman, code) : code;
  }
}

/// Of the fonts of the package mathdesign, "MathDesign-GM-Regular-Symbol-10".
TexEncoding mathdesign_encoding(std::string_view font) {
  const auto has = [&](std::string_view part) { return font.find(part) != font.npos; };
  return has("-MathItalic-")  ? TexEncoding::italic
         : has("-Symbol-")    ? TexEncoding::symbols
         : has("-Extension-") ? TexEncoding::large
         : has("-OT1-")       ? TexEncoding::roman
                              : TexEncoding::none;
}

}  // namespace

TexEncoding tex_encoding(std::string_view font) {
  if (font.starts_with("MathDesign-")) return mathdesign_encoding(font);
  if (starts_with(font, {"txexa", "txbexa", "pxexa", "pxbexa"})) return TexEncoding::large_more;
  if (starts_with(font, {"CMEX", "LMMathExtension", "txex", "txbex", "pxex",
                         "Fourier-Math-Extension", "MTEX"}))
    return TexEncoding::large;
  if (font.starts_with("esint")) return TexEncoding::integrals;
  if (starts_with(font, {"CMMI", "LMMathItalic", "rtxmi", "rtxbmi", "rpxmi", "rpxbmi",
                         "Fourier-Math-Letters", "MTMI", "EURM", "EURB"}))
    return TexEncoding::italic;
  const bool plain_symbols = font == "txsy" || font == "txbsy" || font == "pxsy" || font == "pxbsy";
  if (plain_symbols || starts_with(font, {"CMSY", "CMBSY", "LMMathSymbols", "txsys", "txbsys",
                                          "pxsys", "pxbsys", "Fourier-Math-Symbols", "MTSY"}))
    return TexEncoding::symbols;
  if (starts_with(font, {"MSAM", "txsya", "pxsya"})) return TexEncoding::ams_a;
  if (starts_with(font, {"MSBM", "txsyb", "pxsyb", "Fourier-Math-BlackBoard"}))
    return TexEncoding::ams_b;
  if (starts_with(font, {"RSFS", "rsfs", "EUSM", "EUSB", "URWChancery", "Fourier-Math-Cal"}))
    return TexEncoding::script;
  if (starts_with(font, {"EUFM", "EUFB"})) return TexEncoding::fraktur;
  if (font.starts_with("PazoMathBlackboard")) return TexEncoding::double_struck;
  if (font.starts_with("PazoMath")) return TexEncoding::pazo;
  if (starts_with(font, {"Symbol", "StandardSym"})) return TexEncoding::post_script;
  if (starts_with(font, {"CMR", "CMTI", "CMBX", "CMSL", "CMSS", "CMCSC", "CMB1", "CMU"}))
    return TexEncoding::roman;
  return TexEncoding::none;
}

std::optional<TexGlyph> tex_glyph(std::string_view font, unsigned code) {
  const auto plain = [&](uint32_t letter) -> std::optional<TexGlyph> {
    if (letter == 0) return std::nullopt;
    return TexGlyph{letter};
  };
  const bool latin = is_capital(code) || is_small(code) || (code >= '0' && code <= '9');
  switch (tex_encoding(font)) {
    case TexEncoding::large_more:
      return code == 0x20 ? std::optional(TexGlyph{0xE014, 0.12, 0.1}) : std::nullopt;
    case TexEncoding::large: {
      const TexGlyph glyph = large_glyph(large_code(code));
      return glyph.letter ? std::optional(glyph) : std::nullopt;
    }
    case TexEncoding::integrals:
      if (const uint32_t letter = find(kIntegrals, code))
        return TexGlyph{letter, 0, code % 2 == 1 ? 1.11 : 2.22};
      return std::nullopt;
    case TexEncoding::italic:
      return plain(latin ? code : find(kItalic, code));
    case TexEncoding::symbols:
      if (code == 0x70) return TexGlyph{0x221A, 0.04, 0.96};
      if (code == 0x73) return TexGlyph{0x222B, 0.75, 0.25};
      return plain(is_capital(code) ? script_capital(code) : find(kSymbols, code));
    case TexEncoding::ams_a:
      return plain(find(kAmsA, code));
    case TexEncoding::ams_b:
      return plain(is_capital(code) ? double_struck_capital(code) : find(kAmsB, code));
    case TexEncoding::script:
      return plain(is_capital(code)          ? script_capital(code)
                   : font.starts_with("EUS") ? find(kSymbols, code)
                                             : 0);
    case TexEncoding::fraktur:
      return plain(is_capital(code)           ? capital(code, 0x1D504, "CHIRZ", U"ℭℌℑℜℨ")
                   : is_small(code)           ? 0x1D51E + (code - 'a')
                   : code > ' ' && code < '`' ? code
                                              : 0);
    case TexEncoding::double_struck:
      if (is_capital(code)) return plain(double_struck_capital(code));
      [[fallthrough]];
    case TexEncoding::pazo:
      if (code == '#') return plain(0x3B5);
      [[fallthrough]];
    case TexEncoding::post_script:
      return plain(find(kPostScript, code) ? find(kPostScript, code) : code < 0x7F ? code : 0);
    case TexEncoding::roman:
      return plain(latin ? code : roman_letter(code));
    case TexEncoding::none:
      break;
  }
  return std::nullopt;
}

namespace {

/// "eacute", "Ccedilla": a letter with an accent; 0 = another name.
uint32_t accented_letter(std::string_view name) {
  static constexpr std::pair<std::string_view, uint32_t> kAccents[] = {
      {"grave", 0x300},    {"acute", 0x301},   {"circumflex", 0x302},   {"tilde", 0x303},
      {"dieresis", 0x308}, {"ring", 0x30A},    {"hungarumlaut", 0x30B}, {"caron", 0x30C},
      {"breve", 0x306},    {"cedilla", 0x327}, {"ogonek", 0x328},       {"dotaccent", 0x307}};
  if (name.size() < 2 || !(is_capital(uint8_t(name[0])) || is_small(uint8_t(name[0])))) return 0;
  const auto at = std::find_if(std::begin(kAccents), std::end(kAccents),
                               [&](const auto& accent) { return accent.first == name.substr(1); });
  if (at == std::end(kAccents)) return 0;
  std::string text(1, name[0]);
  append_utf8(text, at->second);
  const std::string composed = normalize_unicode(text, NormalForm::nfc);
  return count_code_points(composed) == 1 ? first_code_point(composed) : 0;
}

}  // namespace

uint32_t tex_letter_of_name(std::string_view name) {
  static constexpr std::pair<std::string_view, uint32_t> kNames[] = {{"Gamma", 0x393},
                                                                     {"Delta", 0x394},
                                                                     {"Theta", 0x398},
                                                                     {"Lambda", 0x39B},
                                                                     {"Xi", 0x39E},
                                                                     {"Pi", 0x3A0},
                                                                     {"Sigma", 0x3A3},
                                                                     {"Upsilon", 0x3A5},
                                                                     {"Phi", 0x3A6},
                                                                     {"Psi", 0x3A8},
                                                                     {"Omega", 0x3A9},
                                                                     {"ff", 0xFB00},
                                                                     {"f_f", 0xFB00},
                                                                     {"fi", 0xFB01},
                                                                     {"f_i", 0xFB01},
                                                                     {"fl", 0xFB02},
                                                                     {"f_l", 0xFB02},
                                                                     {"ffi", 0xFB03},
                                                                     {"f_f_i", 0xFB03},
                                                                     {"ffl", 0xFB04},
                                                                     {"f_f_l", 0xFB04},
                                                                     {"grave", 0x300},
                                                                     {"acute", 0x301},
                                                                     {"circumflex", 0x302},
                                                                     {"tilde", 0x303},
                                                                     {"macron", 0x304},
                                                                     {"breve", 0x306},
                                                                     {"dotaccent", 0x307},
                                                                     {"dieresis", 0x308},
                                                                     {"ring", 0x30A},
                                                                     {"caron", 0x30C},
                                                                     {"quoteright", 0x2019},
                                                                     {"quoteleft", 0x2018},
                                                                     {"endash", 0x2013},
                                                                     {"emdash", 0x2014},
                                                                     {"minus", 0x2212},
                                                                     {"quotedblleft", 0x201C},
                                                                     {"quotedblright", 0x201D},
                                                                     {"bullet", 0x2022},
                                                                     {"periodcentered", 0xB7},
                                                                     {"multiply", 0xD7},
                                                                     {"divide", 0xF7},
                                                                     {"plusminus", 0xB1}};
  const auto at = std::find_if(std::begin(kNames), std::end(kNames),
                               [&](const auto& known) { return known.first == name; });
  return at == std::end(kNames) ? accented_letter(name) : at->second;
}

}  // namespace docspec
