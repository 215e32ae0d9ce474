#include "drafts/page_doubts.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "core/input/letters/tex_fonts.h"
#include "core/input/wide/wide_font.h"
#include "core/text/unicode.h"
#include "drafts/grid/cell_text.h"
#include "drafts/latex/math_letters.h"
#include "drafts/lines/text_lines.h"
#include "drafts/ocr/formulas/flat_formulas.h"
#include "drafts/text/text_trust.h"

namespace docspec {
namespace {

constexpr const char* kUnknownLetters =
    "some letters have a font that does not tell them; only a model can read them";
constexpr const char* kTornFormulas =
    "the parts of some formulas were not put together; only a model can read them";

/// One region's text: its place and the letters in it.
struct TextPiece {
  Box box;
  size_t letters = 0;
  bool is_short = false;  ///< a few words that are no table and no entry of a list
};

/// The regions of a page that have text, headers and footers aside.
std::vector<TextPiece> pieces_of(const PageDrafts& page) {
  constexpr size_t kFewWords = 12, kFewLetters = 80;
  std::vector<TextPiece> out;
  for (const Draft& draft : page.drafts) {
    const auto region = std::find_if(page.regions.begin(), page.regions.end(),
                                     [&](const Region& one) { return one.id == draft.region; });
    if (region == page.regions.end() || draft.words.empty()) continue;
    const RegionKind kind = region->kind;
    if (kind == RegionKind::page_header || kind == RegionKind::page_footer) continue;
    const size_t letters = count_letters(draft.words);
    out.push_back({region->box, letters,
                   kind != RegionKind::table && kind != RegionKind::list_item &&
                       draft.words.size() < kFewWords && letters < kFewLetters});
  }
  return out;
}

/// Whether a formula has several rows within an index, as where two lines fell into each other.
bool has_rows_in_index(std::string_view text) {
  constexpr std::string_view kRows = "\\begin{aligned}";
  for (size_t rows = text.find(kRows); rows != text.npos; rows = text.find(kRows, rows + 1)) {
    int depth = 0;
    for (size_t at = rows; at > 0 && text[at] != '$'; --at) {
      if (text[at - 1] == '\\') continue;
      depth += int(text[at] == '}') - int(text[at] == '{');
      if (depth < 0 && (text[at - 1] == '^' || text[at - 1] == '_')) return true;
      depth = std::max(depth, 0);
    }
  }
  return false;
}

/// Whether a formula within text begins with an index right behind another formula: it is cut.
bool has_index_cut_off(std::string_view text) {
  for (const std::string_view cut : {"$${}^", "$${}_"}) {
    const size_t at = text.find(cut);
    if (at != text.npos && at > 0 && text[at - 1] != '\n') return true;
  }
  return false;
}

/// Whether a sum or an integral of TeX's font of large signs stands in a text or a cell on its own:
/// its formula was not put together.
bool has_large_sign_alone(const Draft& draft) {
  const auto is_alone = [](const Word& word) {
    const TexEncoding encoding = tex_encoding(word.font);
    if (word.formula || (encoding != TexEncoding::large && encoding != TexEncoding::integrals))
      return false;
    for (size_t at = 0; at < word.text.size();)
      if (is_large_operator(next_code_point(word.text, at))) return true;
    return false;
  };
  return !draft.text.starts_with("$$") &&
         std::any_of(draft.words.begin(), draft.words.end(), is_alone);
}

}  // namespace

std::string doubt_of_rubble(const std::vector<Draft>& drafts) {
  constexpr std::ptrdiff_t kLeast = 2;
  const auto rubble = std::count_if(drafts.begin(), drafts.end(), [](const Draft& draft) {
    return !draft.text.starts_with("<table") && is_formula_rubble(draft.text);
  });
  return rubble < kLeast ? ""
                         : "some lines that OCR wrote are no words (formulas, barcodes); only a "
                           "model can read them";
}

std::string doubt_of_unsure_text(const std::vector<Draft>& drafts) {
  constexpr double kUnsure = 0.5, kMost = 0.25;
  size_t unsure = 0, all = 0;
  for (const Draft& draft : drafts) {
    if (draft.text.starts_with("$$")) continue;  // doubt_of_flat_formulas tells
    all += draft.text.size();
    if (draft.confidence < kUnsure) unsure += draft.text.size();
  }
  if (double(unsure) <= kMost * double(all)) return "";
  return "OCR is not sure of " + std::to_string(100 * unsure / all) +
         " % of its text; name the page's languages if they are more than one";
}

std::string doubt_of_brackets(const std::vector<Draft>& drafts) {
  constexpr size_t kLeast = 2;
  constexpr uint32_t kFirst = 0x239B, kLast = 0x23AE;
  size_t pieces = 0;
  for (const Draft& draft : drafts)
    for (size_t at = 0; at < draft.text.size();) {
      const uint32_t c = next_code_point(draft.text, at);
      pieces += c >= kFirst && c <= kLast;
    }
  return pieces < kLeast ? "" : kFlatFormulas;
}

std::string doubt_of_formulas(const std::vector<Draft>& drafts) {
  for (const Draft& draft : drafts) {
    if (draft.text.find("\uFFFD") != draft.text.npos) return kUnknownLetters;
    if (has_rows_in_index(draft.text) || has_index_cut_off(draft.text) ||
        has_large_sign_alone(draft))
      return kTornFormulas;
  }
  return "";
}

std::string doubt_of_scattered_text(const PageDrafts& page) {
  constexpr double kBeside = 0.5, kMost = 0.3;
  constexpr int kLeast = 10;
  const std::vector<TextPiece> pieces = pieces_of(page);
  size_t scattered = 0, all = 0;
  int count = 0;
  for (const TextPiece& piece : pieces) {
    all += piece.letters;
    const bool beside = std::any_of(pieces.begin(), pieces.end(), [&](const TextPiece& other) {
      return &other != &piece && row_overlap(piece.box, other.box) > kBeside;
    });
    if (!piece.is_short || !beside) continue;
    scattered += piece.letters;
    ++count;
  }
  if (count < kLeast || double(scattered) <= kMost * double(all)) return "";
  return "much of its text stands in short pieces side by side, as in a drawing; their order is a "
         "guess, and only a model can tell it";
}

std::string doubt_of_letters(std::span<const Word> words, const PageGlyphs& glyphs) {
  constexpr std::ptrdiff_t kLeastLost = 3;
  const auto lost =
      std::count_if(glyphs.glyphs.begin(), glyphs.glyphs.end(), [&](const PageGlyph& glyph) {
        return glyph.letter == 0 && !upright_name(glyphs.fonts[size_t(glyph.font)]).empty();
      });
  bool wrong = false;
  for (size_t i = 1; i < words.size(); ++i) {
    const Word &word = words[i], &base = words[i - 1];
    wrong |= word.text.size() == 1 && word.text.find_first_of("!\"#$%&") == 0 &&
             word.font_size_pt < 0.9 * base.font_size_pt && !upright_name(word.font).empty() &&
             !upright_name(base.font).empty();
  }
  return lost < kLeastLost && !wrong ? "" : kUnknownLetters;
}

}  // namespace docspec
