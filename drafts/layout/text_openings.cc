#include "drafts/layout/text_openings.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "core/text/unicode.h"
#include "drafts/lines/bullets.h"

namespace docspec {

namespace {

constexpr std::string_view kComma = "、";  // behind the number of an item
constexpr size_t kMostNumerals = 3;

/// Takes the numerals off that a text begins with, and counts them.
size_t take_numerals(std::string_view& text, std::u32string_view numerals) {
  size_t at = 0, count = 0;
  while (at < text.size()) {
    size_t end = at;
    if (numerals.find(char32_t(next_code_point(text, end))) == numerals.npos) break;
    at = end;
    ++count;
  }
  text.remove_prefix(at);
  return count;
}

}  // namespace

double letter_share(std::string_view text) {
  size_t letters = 0, all = 0;
  for (size_t at = 0; at < text.size();) {
    const uint32_t c = next_code_point(text, at);
    all += c != ' ';
    letters += c >= 0x80 || std::isalpha(int(c));
  }
  return all ? double(letters) / double(all) : 0;
}

bool has_word(std::string_view text) {
  size_t letters = 0, cjk = 0;
  for (size_t at = 0; at < text.size();) {
    const uint32_t c = next_code_point(text, at);
    cjk = is_cjk(c) ? cjk + 1 : 0;
    letters = c >= 0xC0 || (c < 0x80 && std::isalpha(int(c))) ? letters + 1 : 0;
    if (letters >= 3 || cjk >= 2) return true;
  }
  return false;
}

bool has_relation(std::string_view text) {
  static constexpr std::array<std::string_view, 12> kSigns = {"=", "≤", "≥", "≈", "∑", "∈",
                                                              "→", "∫", "∥", "≡", "∝", "≠"};
  return std::any_of(kSigns.begin(), kSigns.end(),
                     [&](std::string_view sign) { return text.find(sign) != text.npos; });
}

size_t rows_in(const TextBlock& block, const std::vector<TextLine>& lines) {
  std::vector<Box> boxes;
  for (int i : block) boxes.push_back(lines[i].box);
  return group_rows(boxes).size();
}

bool opens_note(std::string_view text) {
  constexpr std::string_view kSection = "§";
  if (text.starts_with(kSection) && text.size() > kSection.size() && digit(text[kSection.size()]))
    return false;  // "§3 Waves"
  static constexpr std::array<std::string_view, 16> kMarks = {
      "*", "∗", "⋆", "†", "‡", "§", "⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  return !text.empty() &&
         (digit(text[0]) || std::any_of(kMarks.begin(), kMarks.end(), [&](std::string_view mark) {
            return text.starts_with(mark);
          }));
}

bool opens_caption(std::string_view text) {
  for (const std::string_view word : {"图", "表", "算法"}) {  // "表 3-1"
    if (!text.starts_with(word)) continue;
    constexpr size_t kLongest = 40;  // code points: sentences begin so, too
    const size_t at = text.find_first_not_of(' ', word.size());
    return at != text.npos && digit(text[at]) && count_code_points(text) <= kLongest &&
           !text.ends_with("。") && text.find("，") == text.npos;
  }
  static constexpr std::array<std::string_view, 17> kWords = {
      "figure",  "fig.",      "fig",    "table",     "tab.",    "tab",
      "listing", "algorithm", "scheme", "abbildung", "tabelle", "tableau",
      "chart",   "photo",     "plate",  "box",       "example"};
  const size_t space = text.find(' ');
  if (space == text.npos) return false;
  std::string word;
  for (char c : text.substr(0, space)) word += char(std::tolower(uint8_t(c)));
  if (std::find(kWords.begin(), kWords.end(), word) == kWords.end()) return false;
  std::string_view rest = text.substr(space + 1);
  const size_t roman = std::min(rest.find_first_not_of("IVX"), rest.size());
  if (roman > 0 && (roman == rest.size() || rest[roman] == '.' || rest[roman] == ':')) return true;
  // "A1", "SA3", "A-1"
  for (int letters = 0; letters < 3 && !rest.empty() && std::isupper(uint8_t(rest[0])); ++letters)
    rest.remove_prefix(1);
  if (rest.size() > 1 && rest[0] == '-' && digit(rest[1])) rest.remove_prefix(1);
  size_t number = 0;
  while (number < rest.size() &&
         (digit(rest[number]) || (number > 0 && (rest[number] == '.' || rest[number] == '-') &&
                                  number + 1 < rest.size() && digit(rest[number + 1]))))
    ++number;
  if (number == 0) return false;
  rest.remove_prefix(number);
  const bool figure = word.starts_with("fig");  // no sentence goes on with a capital
  return rest.empty() || rest[0] == ':' || rest[0] == '.' || rest[0] == '|' ||
         (rest.size() > 1 && std::isupper(uint8_t(rest[1])) &&
          (figure || (rest.size() < 100 && !rest.ends_with('.')))) ||
         (rest.starts_with(" (") && rest.ends_with(')') && rest.size() < 60) ||
         rest.starts_with(" -") || rest.starts_with(" \u2013") || rest.starts_with(" \u2014") ||
         rest.starts_with(" |") || rest.starts_with(" :") || rest.starts_with("\u2014");
}

bool is_in_capitals(std::string_view text) {
  constexpr std::ptrdiff_t kLeast = 4;
  return std::none_of(text.begin(), text.end(), [](char c) { return std::islower(uint8_t(c)); }) &&
         std::count_if(text.begin(), text.end(), [](char c) { return std::isupper(uint8_t(c)); }) >=
             kLeast;
}

namespace {

constexpr std::string_view kPoints[] = {".", "．", "、"};

/// Whether a text is two choices of a question and more: "A. 3 B. 5".
bool are_choices(std::string_view text) {
  if (text.size() < 2 || text[0] < 'A' || text[0] > 'G') return false;
  const auto has = [&](char letter, size_t from) {
    return std::any_of(std::begin(kPoints), std::end(kPoints), [&](std::string_view point) {
      const size_t at = text.find(letter + std::string(point), from);
      return from == 0 ? at == 0 : at != text.npos;
    });
  };
  return has(text[0], 0) && has(char(text[0] + 1), 1);
}

/// A sentence of Chinese, with its end or with a colon before what it tells of; not a title with
/// the first field of its form behind it.
bool is_cjk_sentence(std::string_view text) {
  constexpr size_t kLeast = 12, kLeastCjk = 6;  // characters
  static constexpr std::string_view kFields[] = {"姓名：", "学号：", "班级：", "得分：", "日期："};
  const bool field = std::any_of(std::begin(kFields), std::end(kFields),
                                 [&](std::string_view name) { return text.ends_with(name); });
  return (text.ends_with("。") || text.ends_with("：") || text.ends_with(':')) && !field &&
         count_code_points(text) >= kLeast && count_cjk(text) >= kLeastCjk &&
         !opens_cjk_section(text) && !opens_cjk_item(text);
}

}  // namespace

bool heads_nothing(std::string_view text) {
  static constexpr std::string_view kOpens[] = {
      "Source:", "Sources:", "资料来源", "数据来源", "∴",    "∵",
      "解：",    "解:",      "证明：",   "证明:",    "答：", "答:"};
  static constexpr std::string_view kEnds[] = {"，", "“", "（", "视图", "题图"};
  return are_choices(text) || is_cjk_sentence(text) ||
         std::any_of(std::begin(kOpens), std::end(kOpens),
                     [&](std::string_view word) { return text.starts_with(word); }) ||
         std::any_of(std::begin(kEnds), std::end(kEnds),
                     [&](std::string_view word) { return text.ends_with(word); }) ||
         (text.starts_with('(') && text.find(')') + 1 == text.size()) ||
         (text.starts_with("（") && text.ends_with("）"));
}

bool opens_cjk_item(std::string_view word) {
  constexpr std::string_view kOpen = "（", kClose = "）";
  const bool narrow = word.starts_with('('), open = narrow || word.starts_with(kOpen);
  if (open) word.remove_prefix(narrow ? 1 : kOpen.size());
  const uint32_t first = word.empty() ? 0 : first_code_point(word);
  if (!open && first >= 0x2460 && first <= 0x2473) return true;  // circled
  const size_t numerals = take_numerals(word, U"0123456789一二三四五六七八九十");
  return numerals > 0 && numerals <= kMostNumerals && word.starts_with(open ? kClose : kComma);
}

bool is_formulas(std::span<const Word> words, const TextLine& line) {
  const auto is_formula = [&](int w) { return words[size_t(w)].formula; };
  const size_t first = is_list_marker(words[size_t(line.words[0])].text);
  const auto begin = line.words.begin() + std::ptrdiff_t(first);
  return std::any_of(begin, line.words.end(), is_formula) &&
         std::all_of(begin, line.words.end(), [&](int w) {
           return is_formula(w) || letter_share(words[size_t(w)].text) == 0;
         });
}

bool opens_cjk_section(std::string_view text) {
  constexpr std::u32string_view kNumerals = U"一二三四五六七八九十";
  const size_t numerals = take_numerals(text, kNumerals);
  if (numerals == 0 || numerals > kMostNumerals || !text.starts_with(kComma)) return false;
  text.remove_prefix(kComma.size());
  return take_numerals(text, kNumerals) == 0;
}

}  // namespace docspec
