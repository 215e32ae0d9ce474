#include "drafts/lines/bullets.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "core/text/unicode.h"
#include "drafts/lines/font_style.h"

namespace docspec {
namespace {

constexpr std::string_view kBullet = "•";
constexpr std::string_view kMiddleDot = "・";  // of Japanese, which touches the word behind it
constexpr std::string_view kSymbolBlank = "\uF020";  // a blank of a symbol font

/// A character of a plane without any, or a half-width kana alone: what a code of a symbol font
/// becomes.
bool unassigned(const std::string& text) {
  size_t end = 0;
  const uint32_t c = text.empty() ? 0 : next_code_point(text, end);
  return end == text.size() && ((c >= 0x40000 && c < 0xE0000) || (c >= 0xFF65 && c <= 0xFF9F));
}

/// An arrow of a symbol font points at something, or is a bullet where several stand below each
/// other.
bool arrow(const std::string& text) {
  size_t end = 0;
  const uint32_t c = next_code_point(text, end);
  return (c >= 0x2190 && c <= 0x21FF) || (c >= 0x2794 && c <= 0x27BE);
}

/// A sign of Zapf Dingbats that says something, by its code: checks, crosses, numbers in circles; 0
/// for others, and where the code has become a letter already.
uint32_t dingbat(const std::string& text) {
  size_t end = 0;
  const uint32_t code = next_code_point(text, end);
  if (code >= 0x33 && code <= 0x38) return 0x2713 + (code - 0x33);
  if (code >= 0xAC && code <= 0xB5) return 0x2460 + (code - 0xAC);
  if (code >= 0xB6 && code <= 0xD3) return 0x2776 + (code - 0xB6);
  const bool says = (code >= 0x2713 && code <= 0x2718) || (code >= 0x2460 && code <= 0x2469) ||
                    (code >= 0x2776 && code <= 0x2793);
  return says ? code : 0;
}

/// The box of a form that a code of Wingdings draws; nullptr for other codes.
const char* checkbox(const std::string& text) {
  size_t end = 0;
  switch (next_code_point(text, end) & 0xFF) {
    case 0x6F:
    case 0xA8:
      return "☐";
    case 0xFD:
    case 0x78:
      return "☒";
    case 0xFE:
      return "☑";
    default:
      return nullptr;
  }
}

bool symbol_font(const std::string& font) {
  std::string lower;
  for (char c : font) lower += char(std::tolower(uint8_t(c)));
  for (const char* part : {"dingbat", "wingding", "webding", "ornament"})
    if (lower.find(part) != lower.npos) return true;
  return false;
}

/// Whether a letter is apart from the word after it and set in another font, like a bullet of a
/// symbol font.
bool stands_apart(const Word& mark, const Word& next) {
  return mark.text.size() == 1 && std::isalpha(uint8_t(mark.text[0])) && mark.font != next.font &&
         next.box.x0 - mark.box.x1 > 0.2 * mark.box.height() &&
         std::abs(next.box.y0 - mark.box.y0) < mark.box.height();
}

/// Whether the middle of `a` is less than half the height of `b` away from its middle.
bool in_row(const Word& a, const Word& b) {
  return std::abs(a.box.y0 + a.box.y1 - b.box.y0 - b.box.y1) < b.box.height();
}

/// Whether a word is the bullet of Word's inner lists: a typewriter's small o that begins a line,
/// far from the word after it.
bool is_office_bullet(std::span<const Word> words, const Word& mark) {
  constexpr double kFar = 0.9, kFromText = 0.5, kReach = 4;  // heights of the mark
  if (mark.text != "o" || !font_style(mark.font).mono) return false;
  const int height = mark.box.height();
  bool followed = false;
  for (const Word& word : words) {
    if (!in_row(word, mark) || &word == &mark) continue;
    const int after = word.box.x0 - mark.box.x1, before = mark.box.x0 - word.box.x1;
    if (std::max(after, before) > kReach * height) continue;
    if (after < (font_style(word.font).mono ? kFar : kFromText) * height) return false;
    followed = true;
  }
  return followed;
}

bool opens_row(std::span<const Word> words, size_t at) {
  return at == 0 || !in_row(words[at - 1], words[at]) || words[at - 1].box.x1 > words[at].box.x0;
}

/// The places, in steps of four pixels, at which small o's of a text's own font open two rows and
/// more, and no other words do: bullets of inner lists that are pasted as text. A word "o" of
/// Portuguese or Polish begins where its neighbours do.
std::set<int> places_of_round_bullets(std::span<const Word> words) {
  constexpr double kReach = 4, kSame = 0.5;  // widths of the mark
  std::vector<const Word*> marks, others;
  for (size_t i = 0; i < words.size(); ++i) {
    const Word& word = words[i];
    if (word.quarter_turns != 0 || !opens_row(words, i)) continue;
    const bool followed = i + 1 < words.size() && in_row(words[i + 1], word) &&
                          words[i + 1].box.x0 - word.box.x1 < kReach * word.box.width();
    (word.text == "o" && followed ? marks : others).push_back(&word);
  }
  std::map<int, int> counts;
  for (const Word* mark : marks)
    if (std::none_of(others.begin(), others.end(), [&](const Word* other) {
          return std::abs(other->box.x0 - mark->box.x0) < kSame * mark->box.width();
        }))
      ++counts[mark->box.x0 / 4];
  std::set<int> places;
  for (const auto& [place, count] : counts)
    if (count > 1) places.insert(place);
  return places;
}

/// Whether a word is a minus or star that begins a line of text, as TeX's lists have it.
bool is_sign_bullet(std::span<const Word> words, size_t at) {
  const Word& mark = words[at];
  const bool star = mark.text == "\u2217";
  if ((mark.text != "\u2212" && !star) || at + 1 == words.size() || !opens_row(words, at))
    return false;
  const Word& next = words[at + 1];
  return in_row(next, mark) && (star || count_code_points(next.text) > 1) &&  // no variable
         next.box.x0 - mark.box.x1 > mark.box.height() / 4;
}

/// The letter of a choice that a word begins: "A.", "(A)", "A、甲"; 0 where it begins none.
char option_of(std::string_view word) {
  constexpr std::string_view kOpen = "（";
  const bool open = word.starts_with('(') || word.starts_with(kOpen);
  if (open) word.remove_prefix(word[0] == '(' ? 1 : kOpen.size());
  if (word.size() < 2 || word[0] < 'A' || word[0] > 'H') return 0;
  const std::string_view rest = word.substr(1);
  const bool closed = rest[0] == ')' || rest.starts_with("）");
  const bool point = rest[0] == '.' || rest.starts_with("．") || rest.starts_with("、");
  return closed || (point && !open) ? word[0] : 0;
}

/// The number of an item or an answer that a word begins: "8.", "8、", "8.x"; 0 where it begins
/// none.
int item_number_of(std::string_view word) {
  size_t digits = 0;
  while (digits < word.size() && digits < 3 && std::isdigit(uint8_t(word[digits]))) ++digits;
  const std::string_view rest = word.substr(digits);
  const bool point = rest.starts_with('.') || rest.starts_with("．") || rest.starts_with("、");
  if (digits == 0 || digits > 2 || !point) return 0;
  const bool decimal = rest.size() > 1 && std::isdigit(uint8_t(rest[1]));
  return decimal ? 0 : std::stoi(std::string(word.substr(0, digits)));
}

/// Makes a word of its own of the bullet that word `at` begins with.
/// The number of "[12]" that a word begins with; 0 = none.
int number_in_brackets(const std::string& text) {
  constexpr size_t kMostDigits = 3;
  if (!text.starts_with('[')) return 0;
  const size_t end = text.find_first_not_of("0123456789", 1);
  return end == text.npos || end == 1 || end > kMostDigits + 1 || text[end] != ']'
             ? 0
             : std::stoi(text.substr(1, end - 1));
}

/// The words that open a row with a reference's number and its text, "[2]Shevchenko", where another
/// row opens with the number before or after it.
std::vector<size_t> joined_references(const std::vector<Word>& words) {
  std::set<int> numbers;
  std::vector<size_t> joined;
  for (size_t i = 0; i < words.size(); ++i) {
    const int number = number_in_brackets(words[i].text);
    if (number == 0 || !opens_row(words, i)) continue;
    numbers.insert(number);
    const size_t text = words[i].text.find(']') + 1;
    if (text < words[i].text.size() &&
        (std::isupper(uint8_t(words[i].text[text])) || uint8_t(words[i].text[text]) >= 0x80))
      joined.push_back(i);
  }
  std::erase_if(joined, [&](size_t i) {
    const int number = number_in_brackets(words[i].text);
    return !numbers.contains(number - 1) && !numbers.contains(number + 1);
  });
  return joined;
}

void part_bullet(std::vector<Word>& words, size_t at) {
  Word bullet = words[at];
  size_t end = 0;
  next_code_point(bullet.text, end);
  words[at].text.erase(0, end);
  bullet.text.resize(end);
  const int width = bullet.box.width() / int(count_code_points(words[at].text) + 1);
  bullet.box.x1 = bullet.box.x0 + width / 2;
  words[at].box.x0 += width;
  bullet.space_after = true;
  words.insert(words.begin() + std::ptrdiff_t(at), std::move(bullet));
}

}  // namespace

bool continues_numbers(std::span<const Word> words, std::span<const int> line,
                       std::string_view next) {
  const auto follows = [&](int number) {
    return number > 1 && std::any_of(line.begin(), line.end(), [&](int w) {
             return item_number_of(words[size_t(w)].text) == number - 1;
           });
  };
  const std::string& end = words[size_t(line.back())].text;
  const bool waits = count_code_points(end) <= 3 && follows(item_number_of(end));  // for its answer
  return waits || follows(item_number_of(next));
}

bool opens_step(std::span<const Word> words, std::span<const int> line) {
  static constexpr std::string_view kSteps[] = {"∴", "∵", "又", "即", "则", "故", "同理"};
  return line.size() == 1 && std::find(std::begin(kSteps), std::end(kSteps),
                                       words[size_t(line.front())].text) != std::end(kSteps);
}

bool encloses_blank(const Word& last, const Word& next) {
  return (last.text.ends_with("（") || last.text.ends_with('(')) &&
         (next.text.starts_with("）") || next.text.starts_with(')'));
}

bool continues_options(std::span<const Word> words, std::span<const int> line,
                       std::string_view next) {
  const std::string& end = words[size_t(line.back())].text;
  if (line.size() > 1 && end.size() == 2 && option_of(end) != 0) return true;
  const char option = option_of(next);
  if (option == 0) return false;
  const auto last = std::find_if(line.rbegin(), line.rend(),
                                 [&](int w) { return option_of(words[size_t(w)].text) != 0; });
  return last != line.rend() && option_of(words[size_t(*last)].text) == option - 1;
}

bool is_bullet(std::string_view text) {
  static constexpr std::string_view kBullets[] = {"•", "◦", "▪", "■", "●", "○",
                                                  "–", "—", "-", "*", "‣", "►",
                                                  "▶", "➢", "✓", "·", "∙", kMiddleDot};
  if (std::find(std::begin(kBullets), std::end(kBullets), text) != std::end(kBullets)) return true;
  if (text.empty()) return false;
  size_t end = 0;
  const uint32_t first = next_code_point(text, end);
  const bool private_use = (first >= 0xE000 && first <= 0xF8FF) || first >= 0xF0000;
  return private_use && end == text.size();  // a dingbat of a symbol font
}

bool is_list_marker(std::string_view text) {
  if (is_bullet(text) || text == "☐" || text == "☑" || text == "☒") return true;
  // "1." "12)" "(a)" "[3]" "iv." "2.1" "3.1.4." "A.2"
  const bool round = text.starts_with('(');  // "(415)" opens a telephone number
  const bool open = round || text.starts_with('[');
  const bool paired = !open || text.ends_with(round ? ')' : ']');  // "(C. Thacker)" is a name
  if (open) text.remove_prefix(1);
  const bool closed = text.ends_with(')') || text.ends_with(']') || text.ends_with('.');
  if (closed) text.remove_suffix(1);
  if (text.empty() || text.size() > 7) return false;
  if (!open && text.size() > 2 && std::isupper(uint8_t(text[0])) && text[1] == '.') {
    text.remove_prefix(2);  // "A.2", but "J.P." opens a name
    if (!std::isdigit(uint8_t(text[0]))) return false;
  }
  const auto all = [&](auto test) { return std::all_of(text.begin(), text.end(), test); };
  if (all([](char c) { return c >= '0' && c <= '9'; })) return text.size() <= (round ? 2 : 3);
  if (!open && all([](char c) { return (c >= '0' && c <= '9') || c == '.'; })) return true;
  if (!closed || !paired) return false;
  return (text.size() == 1 && std::isalpha(uint8_t(text[0]))) ||
         all([](char c) { return c == 'i' || c == 'v' || c == 'x'; });
}

void part_bullets(std::vector<Word>& words) {
  constexpr size_t kLeast = 2;
  std::vector<size_t> joined;
  size_t apart = 0;
  for (size_t i = 0; i < words.size(); ++i) {
    size_t end = 0;
    const std::string& text = words[i].text;
    if (text.empty()) continue;
    next_code_point(text, end);
    const bool disc = text.starts_with(kBullet), japanese = text.starts_with(kMiddleDot);
    if (disc && end == text.size()) ++apart;
    if (end > 1 && end < text.size() && is_bullet(text.substr(0, end)) &&
        (disc || japanese ||
         (!is_cjk(first_code_point(text)) && is_cjk(first_code_point(text.substr(end))))) &&
        opens_row(words, i))
      joined.push_back(i);
  }
  if (joined.size() + apart < kLeast) return;
  for (auto at = joined.rbegin(); at != joined.rend(); ++at) part_bullet(words, *at);
}

void part_numbers(std::vector<Word>& words) {
  constexpr size_t kLeast = 2;
  std::vector<size_t> joined, lettered;
  int last = 0;
  char letter = 0;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& text = words[i].text;
    if (text.size() > 2 && text[1] == ')' && std::islower(uint8_t(text[0])) &&
        std::isalpha(uint8_t(text[2])) && opens_row(words, i) &&
        (text[0] == 'a' || text[0] == letter + 1)) {
      lettered.push_back(i), letter = text[0];
      continue;
    }
    const size_t point = text.find_first_not_of("0123456789");
    if (point == 0 || point > 2 || point == text.npos || text[point] != '.' ||
        point + 3 > text.size() || !std::isupper(uint8_t(text[point + 1])) ||
        !std::islower(uint8_t(text[point + 2])) || !opens_row(words, i))
      continue;
    const int number = std::stoi(text);
    if (number > last) joined.push_back(i), last = number;
  }
  if (joined.size() < kLeast) joined.clear();
  if (lettered.size() >= kLeast) joined.insert(joined.end(), lettered.begin(), lettered.end());
  const std::vector<size_t> references = joined_references(words);
  joined.insert(joined.end(), references.begin(), references.end());
  std::sort(joined.begin(), joined.end());
  for (auto it = joined.rbegin(); it != joined.rend(); ++it) {
    Word number = words[*it];
    const size_t end = number.text.find_first_of(number.text[0] == '[' ? "]" : ".)") + 1;
    const int width = int(size_t(number.box.width()) * end / number.text.size());
    words[*it].text.erase(0, end);
    words[*it].box.x0 += width;
    number.text.resize(end);
    number.box.x1 = words[*it].box.x0 - 1;
    number.space_after = true;
    words.insert(words.begin() + std::ptrdiff_t(*it), std::move(number));
  }
}

void restore_symbol_bullets(std::vector<Word>& words) {
  std::map<std::pair<std::string, int>, std::vector<size_t>> apart;  // by letter and place
  std::map<int, std::vector<size_t>> arrows, office;                 // by place
  std::set<std::string> of_words;                                    // fonts
  for (const Word& word : words)
    if (word.text.size() > 1) of_words.insert(word.font);
  const std::set<int> round = places_of_round_bullets(words);
  for (size_t i = 0; i < words.size(); ++i) {
    Word& word = words[i];
    if (symbol_font(word.font) && word.text.ends_with(kSymbolBlank) &&
        word.text.size() > kSymbolBlank.size())
      word.text.resize(word.text.size() - kSymbolBlank.size());
    const bool symbol = symbol_font(word.font) && count_code_points(word.text) == 1;
    const bool boxes = symbol && word.font.find("ingdings") != word.font.npos &&
                       word.font.find("ingdings2") == word.font.npos &&
                       word.font.find("ingdings3") == word.font.npos;
    const bool dingbats = symbol && word.font.find("ingbats") != word.font.npos;
    if (const char* box = boxes ? checkbox(word.text) : nullptr)
      word.text = box;
    else if (const uint32_t sign = dingbats ? dingbat(word.text) : 0) {
      word.text.clear();
      append_utf8(word.text, sign);
    } else if ((symbol && arrow(word.text)) || is_sign_bullet(words, i))
      arrows[word.box.x0 / 4].push_back(i);
    else if (unassigned(word.text) || symbol)
      word.text = kBullet;
    else if (is_office_bullet(words, word) ||
             (word.text == "o" && opens_row(words, i) && round.contains(word.box.x0 / 4)))
      office[word.box.x0 / 4].push_back(i);
    else if (i + 1 < words.size() && !of_words.contains(word.font) &&
             stands_apart(word, words[i + 1]))
      apart[{word.text + word.font, word.box.x0 / 4}].push_back(i);
  }
  for (const auto& marks : {arrows, office})
    for (const auto& [place, those] : marks)
      if (those.size() > 1)
        for (size_t i : those) words[i].text = kBullet;
  for (const auto& [letter, places] : apart)
    if (places.size() >= 3)
      for (size_t i : places) words[i].text = kBullet;
}

}  // namespace docspec
