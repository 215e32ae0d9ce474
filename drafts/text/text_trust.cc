#include "drafts/text/text_trust.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <string_view>

#include "core/text/unicode.h"

namespace docspec {
namespace {

/// Whether all of a word are Latin letters whose two bytes a faulty map has swapped ("䴀甀").
bool is_swapped(const std::string& text) {
  for (size_t at = 0; at < text.size();) {
    const uint32_t c = next_code_point(text, at);
    if (c > 0xFFFF || (c & 0xFF) != 0 || (c >> 8) <= 0x20 || (c >> 8) >= 0x7F) return false;
  }
  return true;
}

bool printable(const Word& word) {
  if (is_swapped(word.text)) return false;
  for (size_t at = 0; at < word.text.size();) {
    const uint32_t c = next_code_point(word.text, at);
    if (c < 0x20 || c == 0xFFFD || (c >= 0xE000 && c <= 0xF8FF) || c >= 0xF0000) return false;
  }
  return true;
}

/// Whether more than a twentieth of the words hold codes that no letter has. A bullet or dingbat of
/// a symbol font often has a private-use code: single characters are let pass.
bool unprintable(std::span<const Word> words) {
  const auto bad = std::count_if(words.begin(), words.end(), [](const Word& w) {
    return !printable(w) && count_code_points(w.text) > 1;
  });
  return double(bad) > 0.05 * double(words.size());
}

/// Latin letters a-z of 1000, the mean of English, German, French, Spanish and Italian.
constexpr std::array<double, 26> kUsual = {87, 14, 34, 41, 143, 12, 17, 21, 77, 3, 4, 45, 25,
                                           78, 66, 26, 7,  68,  66, 70, 36, 14, 7, 3, 6,  7};

/// Cosine of the letters' counts and the usual ones.
double alike(const std::array<double, 26>& counts) {
  double product = 0, own = 0, usual = 0;
  for (size_t i = 0; i < counts.size(); ++i) {
    product += counts[i] * kUsual[i];
    own += counts[i] * counts[i];
    usual += kUsual[i] * kUsual[i];
  }
  return own > 0 ? product / std::sqrt(own * usual) : 1;
}

/// Fonts whose letters are names: of variables, of a program.
bool names_things(const std::string& font) {
  std::string lower;
  for (char c : font) lower += char(std::tolower(uint8_t(c)));
  static constexpr const char* kParts[] = {"mono",   "courier", "cmtt", "cmmi",
                                           "cmsy",   "math",    "code", "consol",
                                           "symbol", "msam",    "msbm", "typewriter"};
  return std::any_of(std::begin(kParts), std::end(kParts),
                     [&](const char* part) { return lower.find(part) != lower.npos; });
}

std::string bare(const std::string& word) {
  std::string out;
  for (char c : word)
    if (std::isalnum(uint8_t(c)) || uint8_t(c) >= 0x80) out += char(std::tolower(uint8_t(c)));
  return out;
}

/// Words that bad OCR left in pieces: letters alone, three and more in a row.
size_t spelled_out(std::span<const Word> words) {
  constexpr size_t kLeastRun = 3;
  size_t found = 0, run = 0;
  for (const Word& word : words) {
    const bool lone = word.text.size() == 1 && std::islower(uint8_t(word.text[0]));
    run = lone && !names_things(word.font) ? run + 1 : 0;
    found += run == kLeastRun ? kLeastRun : run > kLeastRun;
  }
  return found;
}

/// Whether a digit stands between letters of the word, three of them small: a map that is wrong for
/// letters with accents alone ("u2ytkowania"). Addresses and names of files have other signs, too.
bool has_inner_digit(const std::string& word) {
  size_t small = 0;
  bool inner = false;
  for (size_t i = 0; i < word.size(); ++i) {
    if (std::string_view("/.@_:=()[]").find(word[i]) != std::string_view::npos) return false;
    small += std::islower(uint8_t(word[i])) != 0;
    inner |= i > 0 && i + 1 < word.size() && std::isdigit(uint8_t(word[i])) &&
             std::isalpha(uint8_t(word[i - 1])) && std::isalpha(uint8_t(word[i + 1]));
  }
  return inner && small >= 3;
}

/// Whether more than one word of fifty, and five different ones, have digits for letters.
bool has_digits_for_letters(std::span<const Word> words) {
  constexpr size_t kLeast = 5, kMost = 50;
  std::set<std::string> different;
  size_t all = 0;
  for (const Word& word : words)
    if (has_inner_digit(word.text) && !names_things(word.font)) different.insert(word.text), ++all;
  return different.size() >= kLeast && all * kMost > words.size();
}

/// Whether signs between letters are those of code (`name="value"`, "call().next", "p->x").
bool is_of_code(std::string_view signs) {
  static constexpr const char* kParts[] = {"=\"", "()", "->", "::", "[]", "</", "/>",
                                           "=>",  "==", "&&", "||", "{}", "${", "\\\\"};
  return std::any_of(std::begin(kParts), std::end(kParts),
                     [&](const char* part) { return signs.find(part) != signs.npos; });
}

/// Whether signs stand between letters that no language has there, as bad OCR reads stains and
/// handwriting ("AIJt!tv:y", "l..!e"). Addresses have such signs, too.
bool is_garbled(const std::string& word) {
  static constexpr std::string_view kNever = "~{}|\\^;!*\"#$%?";
  if (word.find("://") != word.npos || word.find("www") != word.npos || word.find('@') != word.npos)
    return false;
  const auto letter = [&](size_t i) { return std::isalpha(uint8_t(word[i])) != 0; };
  const auto sign = [&](size_t i) { return std::ispunct(uint8_t(word[i])) != 0; };
  for (size_t from = 1; from + 1 < word.size(); ++from) {
    if (!sign(from) || sign(from - 1)) continue;
    size_t to = from;
    while (to < word.size() && sign(to)) ++to;
    if (to == word.size() || !(letter(from - 1) || letter(to)) || uint8_t(word[from - 1]) >= 0x80 ||
        uint8_t(word[to]) >= 0x80)
      continue;
    const std::string_view signs = std::string_view(word).substr(from, to - from);
    if (is_of_code(signs)) continue;
    const bool mixed = signs.find_first_not_of(signs[0]) != signs.npos;
    if (mixed || signs.find_first_of(kNever) != signs.npos) return true;
  }
  return false;
}

/// Whether more than three words of a hundred, and eight different ones, are garbled.
bool has_garbled_words(std::span<const Word> words) {
  constexpr size_t kLeastWords = 50, kLeast = 8;
  constexpr double kMost = 0.03;
  std::set<std::string> different;
  size_t all = 0;
  for (const Word& word : words)
    if (!names_things(word.font) && is_garbled(word.text)) different.insert(word.text), ++all;
  return words.size() >= kLeastWords && different.size() >= kLeast &&
         double(all) > kMost * double(words.size());
}

/// A letter with an accent, or a sign that only codes of another alphabet become; no Ø and Å, which
/// are a diameter and a unit.
bool is_accented(uint32_t c) {
  static constexpr std::u32string_view kSigns = U"¡¦¼½¾¿";
  return (c >= 0xC0 && c <= 0xFF && c != 0xC5 && c != 0xD7 && c != 0xD8 && c != 0xF7) ||
         kSigns.find(char32_t(c)) != kSigns.npos;
}

/// Letters with accents that stand between others of their kind, digits and signs: bytes of Chinese
/// or Arabic letters that the file gives as Latin ones ("Ù¥f, g•?¿Œ").
bool has_other_alphabet(std::span<const Word> words) {
  constexpr size_t kLeast = 6;
  constexpr double kMost = 0.015;
  size_t all = 0, odd = 0;
  for (const Word& word : words) {
    if (names_things(word.font)) continue;
    std::vector<uint32_t> letters;
    for (size_t at = 0; at < word.text.size();) letters.push_back(next_code_point(word.text, at));
    all += letters.size();
    const auto is_plain = [&](size_t i) {  // of a word in a language with accents
      if (i >= letters.size()) return false;
      const uint32_t c = letters[i];
      return (c < 0x80 && std::isalpha(int(c))) || (c >= 0xDF && c < 0x250 && c != 0xF7);
    };
    for (size_t i = 0; i < letters.size() && letters.size() > 1; ++i) {
      const bool fraction = letters[i] >= 0xBC && letters[i] <= 0xBE && i > 0 &&
                            letters[i - 1] >= '0' && letters[i - 1] <= '9';
      odd += is_accented(letters[i]) && !fraction && !is_plain(i - 1) && !is_plain(i + 1);
    }
  }
  return odd >= kLeast && double(odd) > kMost * double(all);
}

/// Whether signs that no Chinese sentence has stand where its commas and stops must be: the codes
/// of a font without a map, counted from "!" on.
bool has_codes_for_stops(std::span<const Word> words) {
  constexpr size_t kLeast = 6, kTimes = 3;
  size_t codes = 0, stops = 0;
  for (const Word& word : words) {
    bool behind = false;  // a Chinese letter
    for (size_t at = 0; at < word.text.size();) {
      const uint32_t c = next_code_point(word.text, at);
      const bool stop = c == 0xFF0C || c == 0x3002 || c == 0x3001;  // "，。、"
      codes += behind && (c == '!' || c == '"' || c == '#');
      stops += stop;
      behind = is_cjk(c) && !stop;
    }
  }
  return codes >= kLeast && codes > kTimes * stops;
}

/// Whether a part of the page has dark ink that no word covers: the ground of a listing has none.
bool holds_letters(const PageImage& image, double scale, const Box& part,
                   std::span<const Box> words) {
  constexpr int kDark = 200;
  constexpr double kLeast = 0.01;  // of the part
  std::vector<Box> near;
  for (const Box& word : words)
    if (!intersect(word, part).empty()) near.push_back(word);
  const auto px = [&](int v) { return int(v / scale); };
  const Box seen = intersect({px(part.x0), px(part.y0), px(part.x1), px(part.y1)},
                             {0, 0, image.width_px(), image.height_px()});
  double dark = 0;
  for (int y = seen.y0; y < seen.y1; ++y)
    for (int x = seen.x0; x < seen.x1; ++x) {
      if (image.row(y)[size_t(x) * 3 + 1] >= kDark) continue;
      const int at_x = int(x * scale), at_y = int(y * scale);
      dark += std::none_of(near.begin(), near.end(), [&](const Box& word) {
        return at_x >= word.x0 && at_x < word.x1 && at_y >= word.y0 && at_y < word.y1;
      });
    }
  return dark > kLeast * double(seen.area());
}

}  // namespace

bool reads_as_language(std::span<const Word> words) {
  if (has_digits_for_letters(words) || has_garbled_words(words) || has_other_alphabet(words) ||
      has_codes_for_stops(words))
    return false;
  constexpr double kMostSpelled = 0.08;
  if (words.size() >= 50 && double(spelled_out(words)) > kMostSpelled * double(words.size()))
    return false;
  constexpr double kLeastLetters = 200, kLeastAlike = 0.7, kMostStrange = 0.2;
  std::map<std::string, std::array<double, 26>> fonts;
  for (const Word& word : words) {
    const auto is_letter = [](char c) { return std::isalpha(uint8_t(c)) != 0; };
    if (std::count_if(word.text.begin(), word.text.end(), is_letter) < 2) continue;  // "7:12a"
    // Most vowels of Vietnamese have accents: each counts as the letter below them.
    for (char c : normalize_unicode(word.text, NormalForm::nfd))
      if (is_letter(c)) ++fonts[word.font][size_t(std::tolower(uint8_t(c)) - 'a')];
  }
  double all = 0, strange = 0;
  for (const auto& [font, counts] : fonts) {
    const double letters = std::accumulate(counts.begin(), counts.end(), 0.0);
    all += letters;
    if (letters >= kLeastLetters && !names_things(font) && alike(counts) < kLeastAlike)
      strange += letters;
  }
  return strange <= kMostStrange * all;
}

bool is_formula_rubble(std::string_view text) {
  constexpr std::string_view kOdd = "~^\\|<>=+{}_#@";
  constexpr size_t kLeast = 8, kMost = 300, kLeastOdd = 2;
  constexpr double kMostPlain = 0.3, kLeastOddShare = 0.05;
  size_t all = 0, plain = 0, odd = 0;
  for (size_t from = text.find_first_not_of(" \n"); from < text.size();) {
    const size_t to = std::min(text.find_first_of(" \n", from), text.size());
    const std::string_view word = text.substr(from, to - from);
    from = text.find_first_not_of(" \n", to);
    const auto letters = std::count_if(word.begin(), word.end(), [](char c) {
      return std::islower(uint8_t(c)) || uint8_t(c) >= 0x80;
    });
    all += word.size();
    const bool address = word.find("://") != word.npos || word.find("www.") != word.npos;
    if (address || (letters >= 3 && size_t(letters) + 2 >= word.size())) plain += word.size();
    for (char c : word) odd += kOdd.find(c) != kOdd.npos;
  }
  return all >= kLeast && all <= kMost && odd >= kLeastOdd &&
         double(odd) >= kLeastOddShare * double(all) && double(plain) < kMostPlain * double(all);
}

std::optional<double> confirmed_by(std::span<const Word> layer, std::span<const Word> ocr) {
  constexpr size_t kLeastWords = 10, kLeastLetters = 4;
  constexpr double kSure = 0.8;
  if (unprintable(layer)) return 0.0;
  std::set<std::string> known;
  for (const Word& word : layer) known.insert(bare(word.text));
  size_t sure = 0, same = 0;
  for (const Word& word : ocr) {
    const std::string text = bare(word.text);
    if (word.confidence < kSure || text.size() < kLeastLetters) continue;
    ++sure;
    same += known.contains(text);
  }
  return sure < kLeastWords ? std::nullopt : std::optional(double(same) / double(sure));
}

bool is_readable(std::span<const Word> words) {
  return !words.empty() && !unprintable(words) && reads_as_language(words);
}

bool trust_text_layer(std::span<const Word> words, const InkMap* ink, const PageImage* image,
                      double scale, int width_px, int height_px) {
  if (!is_readable(words)) return false;
  if (!ink || !image) return true;

  std::vector<Box> boxes;
  for (const Word& word : words) boxes.push_back(word.box);
  const double page_area = double(width_px) * height_px;
  const double dots_per_point = height_px / 842.0;  // near enough for thresholds on size
  double text_area = 0, unread_area = 0, block_area = 0;
  std::vector<Box> blocks;  // of several lines
  for (const Box& box : boxes) text_area += double(box.area());
  for (const InkMap::Piece& piece : ink->pieces_beside(boxes)) {
    // A remaining piece that is as high as one line of text, or a few, is text that the layer
    // lacks.
    const double height_pt = piece.box.height() / dots_per_point;
    const double width_pt = piece.box.width() / dots_per_point;
    if (double(piece.box.area()) > 0.6 * page_area && text_area < 0.03 * page_area) return false;
    // Of several lines of text much is white; of a photograph nothing is.
    const bool line = height_pt >= 5 && height_pt <= 40 && width_pt >= 15 && piece.fill > 0.4 &&
                      piece.fill < 0.97;
    const bool lines = height_pt > 40 && height_pt <= 100 && width_pt >= 40 && piece.fill > 0.25 &&
                       piece.fill < 0.65;
    if (!(line || lines) || !holds_letters(*image, scale, piece.box, boxes)) continue;
    (line ? unread_area : block_area) += (line ? 1 : piece.fill) * double(piece.box.area());
    if (lines) blocks.push_back(piece.box);
  }
  // In one place they may be a picture of text, which is read by itself.
  const bool columns = std::any_of(blocks.begin(), blocks.end(), [&](const Box& left) {
    return std::any_of(blocks.begin(), blocks.end(),
                       [&](const Box& right) { return left.x1 < right.x0; });
  });
  if (columns) unread_area += block_area;
  return text_area >= 0.7 * (text_area + unread_area);
}

}  // namespace docspec
