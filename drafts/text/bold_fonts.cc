#include "drafts/text/bold_fonts.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <string_view>

#include "core/input/letters/glyph_widths.h"
#include "core/text/unicode.h"
#include "drafts/lines/font_style.h"

namespace docspec {
namespace {

/// A name that a program counted up or took from a hash, which says nothing of the letters.
bool is_code_name(const std::string& name) {
  const std::string font = plain_font_name(name);
  constexpr size_t kShortest = 4;  // letters of a name of a family
  const auto letters =
      std::count_if(font.begin(), font.end(), [](char c) { return std::isalpha(uint8_t(c)); });
  return size_t(letters) < kShortest || font.starts_with("Adv") || font.starts_with("CIDFont") ||
         font.starts_with("CairoFont");
}

/// Heights of letters in em: capitals, digits and long ones, and the others.
double mean_height(std::string_view text) {
  constexpr std::string_view kLong = "bdfhklt";
  double sum = 0;
  for (const char c : text)
    sum += std::islower(uint8_t(c)) && kLong.find(c) == kLong.npos ? 0.48 : 0.7;
  return sum / double(text.size());
}

/// A word's box in the image's pixels.
Box pixels_of(const Word& word, const PageImage& image, double scale) {
  return intersect({int(word.box.x0 / scale), int(word.box.y0 / scale), int(word.box.x1 / scale),
                    int(word.box.y1 / scale)},
                   {0, 0, image.width_px(), image.height_px()});
}

/// The words of one font, and their ink for the area that letters of their heights fill.
struct FontInk {
  std::vector<const Word*> words;
  size_t letters = 0;

  double density(const PageImage& image, double scale) const {
    constexpr size_t kEnough = 60;  // words
    int darkest = 255;
    double ink = 0, area = 0;
    const auto each = [&](const auto& use) {
      for (size_t i = 0; i < std::min(kEnough, words.size()); ++i)
        use(*words[i], pixels_of(*words[i], image, scale));
    };
    const auto green = [&](int x, int y) { return int(image.row(y)[size_t(x) * 3 + 1]); };
    each([&](const Word&, const Box& box) {
      for (int y = box.y0; y < box.y1; ++y)
        for (int x = box.x0; x < box.x1; ++x) darkest = std::min(darkest, green(x, y));
    });
    each([&](const Word& word, const Box& box) {
      int ground = 0;
      for (int y = box.y0; y < box.y1; ++y)
        for (int x = box.x0; x < box.x1; ++x) ground = std::max(ground, green(x, y));
      if (ground <= darkest) return;
      for (int y = box.y0; y < box.y1; ++y)
        for (int x = box.x0; x < box.x1; ++x)
          ink += double(ground - green(x, y)) / double(ground - darkest);
      area += box.width() * mean_height(word.text) * word.font_size_pt * image.dpi() / 72;
    });
    return area > 0 ? ink / area : 0;
  }
};

bool is_latin_word(const Word& word) {
  return word.quarter_turns == 0 && word.text.size() >= 2 && word.font_size_pt > 0 &&
         std::all_of(word.text.begin(), word.text.end(),
                     [](char c) { return std::isalnum(uint8_t(c)) != 0; });
}

/// Chinese sets headings and what is to stand out in a black face, whose name tells no weight.
bool is_black_face(const std::string& font) {
  std::string lower;
  for (const char c : font) lower += char(std::tolower(uint8_t(c)));
  return lower.find("simhei") != lower.npos || lower.find("fandolhei") != lower.npos ||
         lower.find("heiti") != lower.npos;
}

/// Marks the words in black faces on a page whose Chinese is in another font for the most part.
void mark_black_faces(std::vector<Word>& words) {
  size_t black = 0, all = 0;
  for (const Word& word : words)
    for (size_t at = 0; at < word.text.size();)
      if (is_cjk(next_code_point(word.text, at))) ++all, black += is_black_face(word.font);
  if (black * 2 >= all) return;
  for (Word& word : words) word.heavy |= is_black_face(word.font);
}

/// The Latin letters of a text that stand three and more together: of names, not of variables.
size_t letters_of_names(std::string_view text) {
  constexpr size_t kLeast = 3;
  size_t letters = 0, run = 0;
  for (const char c : text) {
    run = std::isalpha(uint8_t(c)) ? run + 1 : 0;
    letters += run == kLeast ? kLeast : run > kLeast;
  }
  return letters;
}

/// A row of words, its Chinese letters and the ink of these for the area of their squares, with
/// that of the names in the same words.
struct ChineseRow {
  size_t first = 0, last = 0;  // words
  size_t letters = 0, others = 0;
  double ink = 0, area = 0;

  double density() const { return ink / area; }
};

/// The ink of a word's pixels, from 0 to 1 each: how far they are from its ground.
double word_ink(const Word& word, const PageImage& image, double scale) {
  const Box box = pixels_of(word, image, scale);
  int darkest = 255, ground = 0;
  double sum = 0;
  for (int y = box.y0; y < box.y1; ++y)
    for (int x = box.x0; x < box.x1; ++x) {
      const int green = image.row(y)[size_t(x) * 3 + 1];
      darkest = std::min(darkest, green);
      ground = std::max(ground, green);
      sum += green;
    }
  return ground > darkest ? (double(ground) * double(box.area()) - sum) / (ground - darkest) : 0;
}

/// Whether `next` goes on with the row of `word`.
bool in_one_row(const Word& word, const Word& next) {
  const int height = word.box.height();
  return std::abs(next.box.y1 - word.box.y1) * 4 < height && next.box.x0 > word.box.x0 &&
         next.box.x0 - word.box.x1 < 2 * height;
}

/// The rows that are Chinese for the most part.
std::vector<ChineseRow> chinese_rows(const std::vector<Word>& words, const PageImage& image,
                                     double scale) {
  std::vector<ChineseRow> rows;
  for (size_t i = 0; i < words.size(); ++i) {
    const Word& word = words[i];
    if (i == 0 || !in_one_row(words[i - 1], word)) rows.push_back({i, i});
    ChineseRow& row = rows.back();
    row.last = i;
    size_t chinese = 0, others = 0;
    for (size_t at = 0; at < word.text.size();)
      ++(is_cjk(next_code_point(word.text, at)) ? chinese : others);
    row.letters += chinese;
    row.others += others;
    if (others > chinese || word.quarter_turns != 0) continue;
    const double size = word.font_size_pt * image.dpi() / 72;
    row.ink += word_ink(word, image, scale);
    constexpr double kLatin = 0.5;  // of a square
    row.area += (double(chinese) + kLatin * double(letters_of_names(word.text))) * size * size;
  }
  std::erase_if(rows,
                [](const ChineseRow& row) { return row.others > row.letters || row.area <= 0; });
  return rows;
}

/// Marks the rows of Chinese that have clearly more ink than most: headings in black faces that
/// have other names, and in letters that are drawn with a stroke around them, as Word draws the
/// bold ones of fonts without a bold face. Among few letters some have many strokes.
void mark_bold_rows(std::vector<Word>& words, const PageImage& image, double scale) {
  constexpr size_t kLeastLetters = 40;  // of the page
  constexpr double kBold[] = {3, 3, 2, 1.7, 1.4}, kDarkGround = 4;
  std::vector<ChineseRow> rows = chinese_rows(words, image, scale);
  std::sort(rows.begin(), rows.end(),
            [](const ChineseRow& a, const ChineseRow& b) { return a.density() < b.density(); });
  size_t letters = 0, below = 0;
  for (const ChineseRow& row : rows) letters += row.letters;
  if (letters < kLeastLetters) return;
  double usual = 0;
  for (const ChineseRow& row : rows) {
    if (below * 2 < letters) usual = row.density();
    below += row.letters;
    const double ratio = row.density() / usual;
    if (ratio > kBold[std::min<size_t>(row.letters, 4)] && ratio < kDarkGround)
      for (size_t i = row.first; i <= row.last; ++i) words[i].heavy = true;
  }
}

}  // namespace

void mark_bold_fonts(std::vector<Word>& words, const PageImage& image, double scale) {
  constexpr double kBold = 1.35, kDarkGround = 3;
  constexpr size_t kLeastLetters = 6;
  mark_black_faces(words);
  mark_bold_rows(words, image, scale);
  std::map<std::string, FontInk> fonts;
  for (const Word& word : words)
    if (!word.font.empty() && is_latin_word(word)) {
      fonts[word.font].words.push_back(&word);
      fonts[word.font].letters += word.text.size();
    }
  const auto usual = std::max_element(fonts.begin(), fonts.end(), [](const auto& a, const auto& b) {
    return a.second.letters < b.second.letters;
  });
  if (usual == fonts.end() || font_style(usual->first).bold) return;
  double usual_density = 0;
  for (const auto& [name, font] : fonts) {
    if (name == usual->first || !is_code_name(name) || font_style(name).bold ||
        font.letters < kLeastLetters)
      continue;
    if (usual_density == 0) usual_density = usual->second.density(image, scale);
    const double ratio = font.density(image, scale) / std::max(1e-6, usual_density);
    if (ratio < kBold || ratio > kDarkGround) continue;
    for (Word& word : words) word.heavy |= word.font == name;
  }
}

}  // namespace docspec
