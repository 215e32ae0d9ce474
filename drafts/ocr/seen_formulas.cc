#include "drafts/ocr/seen_formulas.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/median.h"
#include "core/text/unicode.h"
#include "drafts/formula/formula_bars.h"
#include "drafts/latex/formula_latex.h"

namespace docspec {
namespace {

constexpr const char* kVariables = "CMMI10";  // a font whose letters are variables

/// Signs that stand alone and are read as Chinese characters.
std::string_view sign_for(std::string_view text) {
  static constexpr std::pair<std::string_view, std::string_view> kSigns[] = {
      {"二", "="}, {"三", "≡"}, {"十", "+"}, {"一", "−"}, {"台", "⇔"}};
  const auto* sign = std::find_if(std::begin(kSigns), std::end(kSigns),
                                  [&](const auto& each) { return each.first == text; });
  return sign == std::end(kSigns) ? text : sign->second;
}

/// Whether something stands right above and right below a dash: it is the bar of a fraction.
bool is_bar(const Word& dash, const std::vector<Word>& words) {
  static constexpr std::string_view kDashes[] = {"-", "−", "—", "–", "一", "_"};
  if (std::find(std::begin(kDashes), std::end(kDashes), dash.text) == std::end(kDashes))
    return false;
  const auto stands = [&](bool above) {
    return std::any_of(words.begin(), words.end(), [&](const Word& word) {
      const Box& box = word.box;
      const int gap = above ? dash.box.y0 - box.y1 : box.y0 - dash.box.y1;
      const int height = box.height(), x = (box.x0 + box.x1) / 2;
      return &word != &dash && gap > -height / 4 && gap < height / 2 &&
             x > dash.box.x0 - height / 4 && x < dash.box.x1 + height / 4;
    });
  };
  return stands(true) && stands(false);
}

/// Gives the words of a line its height, and all lines but small ones, which are indices, one size.
/// Signs that stand alone may be tall.
void level_lines(std::vector<Word>& words, double dpi) {
  constexpr double kSmall = 0.65;
  std::map<int, Box> lines;
  for (const Word& word : words) lines[word.line] = unite(lines[word.line], word.box);
  std::vector<double> heights;
  for (const auto& [line, box] : lines) heights.push_back(box.height());
  const double usual = median(std::move(heights));
  for (Word& word : words) {
    const Box& line = lines[word.line];
    const double size = line.height() < kSmall * usual ? line.height() : usual;
    word.font_size_pt = size * 72 / dpi;
    const double middle = (line.y0 + line.y1) / 2.0;
    const bool tall = count_code_points(word.text) == 1 && word.box.height() > size;
    if (tall) continue;
    word.box.y0 = int(middle - size / 2), word.box.y1 = int(middle + size / 2);
  }
}

/// The bars of fractions and roots, without the strokes of signs as "=".
std::vector<Box> bars_beside(const std::vector<Word>& words, const Box& box,
                             const PageInput& page) {
  const double scale = double(page.width_px) / page.image->width_px();
  std::vector<Box> bars = find_bars(*page.image, scale, box, words);
  std::erase_if(bars, [&](const Box& bar) {
    return std::any_of(words.begin(), words.end(), [&](const Word& word) {
      const int reach = std::max(3, word.box.height() / 4);
      const bool sign =
          word.text.find_first_of("=-") != word.text.npos || word.text.find("−") != word.text.npos;
      return sign && bar.x0 >= word.box.x0 - reach && bar.x1 <= word.box.x1 + reach &&
             bar.y0 > word.box.y0 - reach && bar.y1 < word.box.y1 + reach;
    });
  });
  return bars;
}

std::optional<std::string> latex_of(std::vector<Word> words, const Box& box,
                                    const PageInput& page) {
  for (Word& word : words) {
    word.text = sign_for(word.text);
    word.font = kVariables;
  }
  std::vector<Box> read_as_dashes;
  for (const Word& word : words)
    if (is_bar(word, words)) read_as_dashes.push_back(word.box);
  std::erase_if(words, [&](const Word& word) {
    return std::find(read_as_dashes.begin(), read_as_dashes.end(), word.box) !=
           read_as_dashes.end();
  });
  const std::vector<Box> bars = bars_beside(words, box, page);
  level_lines(words, page.dpi);
  return formula_latex(words, bars, page.dpi);
}

}  // namespace

void write_seen_formulas(std::vector<Draft>& drafts, std::span<const Region> regions,
                         const PageInput& page) {
  if (!page.image || page.image->empty()) return;
  for (Draft& draft : drafts) {
    const auto region = std::find_if(regions.begin(), regions.end(), [&](const Region& each) {
      return each.id == draft.region && each.kind == RegionKind::formula;
    });
    if (region == regions.end()) continue;
    if (auto latex = latex_of(draft.words, region->box, page)) draft.text = "$$" + *latex + "$$";
  }
}

}  // namespace docspec
