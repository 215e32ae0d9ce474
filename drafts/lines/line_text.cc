#include "drafts/lines/line_text.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/base/median.h"
#include "core/input/pdf_words.h"
#include "core/text/unicode.h"
#include "drafts/lines/font_style.h"
#include "drafts/lines/text_lines.h"

namespace docspec {
namespace {

/// Whether a character is a letter of Latin, Greek, Cyrillic and what comes between them.
bool is_left_to_right(uint32_t c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= 0xC0 && c < 0x590);
}

/// -1 right to left, 1 left to right, as all formulas, 0 neither.
int direction(const Word& word) {
  if (word.formula) return 1;
  for (size_t at = 0; at < word.text.size();) {
    const uint32_t c = next_code_point(word.text, at);
    if (is_right_to_left(c)) return -1;
    if (is_left_to_right(c)) return 1;
  }
  return 0;
}

/// Right-to-left lines are read from the right; numbers and foreign words in them keep their order.
std::vector<int> reading_direction(std::span<const Word> words, std::span<const int> line) {
  std::vector<int> order(line.begin(), line.end());
  if (!is_read_from_right(words, line)) return order;
  std::reverse(order.begin(), order.end());
  for (auto it = order.begin(); it != order.end();) {
    it = std::find_if(it, order.end(), [&](int i) { return direction(words[i]) == 1; });
    const auto end = std::find_if(it, order.end(), [&](int i) { return direction(words[i]) != 1; });
    std::reverse(it, end);
    it = end;
  }
  return order;
}

/// The text of a word in a line that is read from the right: Poppler gives brackets as painted, OCR
/// as they are read.
std::string read_from_right(const Word& word, const std::string& text) {
  const uint32_t first = first_code_point(text), last = last_code_point(text);
  const bool pair = first != last && mirrored(first) == last;  // "{0}" is so from both sides
  if (direction(word) != 0 || word.font.empty() || pair) return text;
  std::string out;
  for (size_t at = 0; at < text.size();) append_utf8(out, mirrored(next_code_point(text, at)));
  return out;
}

/// Whether one of two words stands above the other: lines of a cell that a tall sign beside them
/// has made one. Letters of formulas stand so too, but words have three.
bool of_two_lines(const Word& left, const Word& right) {
  constexpr size_t kLeastLetters = 3;
  return left.quarter_turns % 2 == 0 && row_overlap(left.box, right.box) < 0.5 &&
         count_code_points(left.text) >= kLeastLetters &&
         count_code_points(right.text) >= kLeastLetters;
}

/// Whether the Chinese one of two words ends in a sign that has white of its own.
bool has_white_sign(const Word& left, const Word& right) {
  static constexpr std::u32string_view kSigns = U"（），。、：；！？「」『』《》〈〉【】“”";
  const uint32_t last = last_code_point(left.text), first = first_code_point(right.text);
  return !left.font.empty() && !right.font.empty() &&
         kSigns.find(char32_t(is_cjk(last) ? last : first)) != kSigns.npos;
}

/// Whether one of two words ends at a quote, dash or dots between Chinese letters, or at the first
/// of two: fonts may draw such a sign narrow within its wide place.
bool has_narrow_sign(const Word& left, const Word& right) {
  static constexpr std::u32string_view kSigns = U"“”‘’—…·";
  const uint32_t last = last_code_point(left.text), first = first_code_point(right.text);
  const bool twice = last == first && (last == 0x2014 || last == 0x2026);
  return twice || (is_cjk(last) != is_cjk(first) &&
                   kSigns.find(char32_t(is_cjk(last) ? first : last)) != kSigns.npos);
}

/// The marks above Arabic letters. The one below, a kasra, may end a word in Persian.
bool is_vowel_mark(uint32_t c) {
  return (c >= 0x64B && c <= 0x652 && c != 0x650) || c == 0x670;
}

/// Poppler parts a word where its letters change in size, as small capitals do ("F" "ORMER"), and
/// calls that a blank: the gap tells. The sizes that OCR gives, and those of fonts without a name,
/// are too rough for that.
bool blank_between(const Word& left, const Word& right) {
  const int gap = right.box.x0 - left.box.x1;
  const double height = std::max(left.box.height(), right.box.height());
  // From right to left Poppler parts letters that touch, and calls that a blank, too.
  const bool backward = (direction(left) < 0 && (direction(right) < 0 || right.formula)) ||
                        (left.formula && direction(right) < 0);
  if (left.quarter_turns == 0 && backward)  // some fonts set a mark, or what follows it, apart
    return gap > (is_vowel_mark(last_code_point(right.text)) ? 0.1 : 0.05) * height;
  // Upside down, Poppler's last blank of a line is that of the first word.
  if (left.quarter_turns == 2) return left.space_after || right.space_after;
  if (gap < -0.5 * height && of_two_lines(left, right)) return true;
  // Justified lines of Chinese are set with white between the letters; a blank is wider.
  const int cjk = is_cjk(last_code_point(left.text)) + is_cjk(first_code_point(right.text));
  if (cjk == 2) return gap > 0.35 * height;
  if (cjk == 1 && gap < 0.2 * height && has_white_sign(left, right)) return false;
  if (gap < 0.8 * height && has_narrow_sign(left, right)) return false;
  // Poppler may see no blank before a formula's other font; what belongs to it stands close.
  if (right.formula && !left.formula && cjk == 0 && !left.font.empty() && gap > 0.15 * height)
    return true;
  const double a = left.font_size_pt, b = right.font_size_pt;
  const bool known = a > 0 && b > 0 && !is_nameless(left.font) && !is_nameless(right.font);
  if (known && std::abs(a - b) > 0.03 * std::max(a, b) && gap < 0.09 * height) return false;
  return left.space_after || gap >= 0.3 * left.box.height();
}

/// The widest gap in pixels within a word of a line that is set with white between its letters
/// ("V i n s   a u   V e r r e", "A B S T R A C T"); 0 of other lines, and of scripts that part no
/// words or join their letters.
double letter_gap(std::span<const Word> words, const std::vector<int>& order) {
  constexpr size_t kLeastWords = 6, kMostLetters = 2;
  constexpr double kOfUsual = 1.8;
  if (order.size() < kLeastWords) return 0;
  std::vector<double> gaps;
  bool capitals = true;
  for (size_t k = 0; k < order.size(); ++k) {
    const Word& word = words[size_t(order[k])];
    if (!is_left_to_right(first_code_point(word.text)) ||
        count_code_points(word.text) > kMostLetters || word.font.empty())
      return 0;
    capitals &= std::none_of(word.text.begin(), word.text.end(),
                             [](char c) { return std::islower(uint8_t(c)); });
    if (k > 0) gaps.push_back(word.box.x0 - words[size_t(order[k - 1])].box.x1);
  }
  const double usual = median(gaps), widest = *std::max_element(gaps.begin(), gaps.end());
  // Months below a chart stand further apart than the letters of "A B S T R A C T".
  const bool one_word = capitals && usual < 0.35 * words[size_t(order.front())].box.height();
  if (usual <= 0 || (!one_word && widest < kOfUsual * usual)) return 0;
  return kOfUsual * usual;
}

/// The white between the Chinese letters of a line that is set with it; 0 of other lines.
double chinese_gap(std::span<const Word> words, const std::vector<int>& order) {
  constexpr size_t kLeast = 3;
  std::vector<double> gaps;
  for (size_t k = 1; k < order.size(); ++k) {
    const Word &left = words[size_t(order[k - 1])], &right = words[size_t(order[k])];
    if (is_cjk(last_code_point(left.text)) && is_cjk(first_code_point(right.text)) &&
        !left.font.empty())
      gaps.push_back(right.box.x0 - left.box.x1);
  }
  return gaps.size() < kLeast ? 0 : std::max(0.0, median(std::move(gaps)));
}

enum class IndexKind { none, raised, lowered };

struct IndexSign {
  std::string_view plain, raised, lowered;  // empty = Unicode has none
};

constexpr IndexSign kIndexSigns[] = {
    {"0", "⁰", "₀"}, {"1", "¹", "₁"}, {"2", "²", "₂"}, {"3", "³", "₃"}, {"4", "⁴", "₄"},
    {"5", "⁵", "₅"}, {"6", "⁶", "₆"}, {"7", "⁷", "₇"}, {"8", "⁸", "₈"}, {"9", "⁹", "₉"},
    {"+", "⁺", "₊"}, {"-", "⁻", "₋"}, {"−", "⁻", "₋"}, {"–", "⁻", "₋"}, {"=", "⁼", "₌"},
    {"(", "⁽", "₍"}, {")", "⁾", "₎"}, {"i", "ⁱ", ""},  {"j", "ʲ", ""},  {"k", "ᵏ", ""},
    {"m", "ᵐ", ""},  {"n", "ⁿ", ""},  {"p", "ᵖ", ""},  {"t", "ᵗ", ""},  {"x", "ˣ", ""},
    {"T", "ᵀ", ""},  {",", ",", ","}, {"*", "*", ""},  {"∗", "∗", ""},  {"†", "†", ""}};

/// The text in the signs that Unicode has for an index; empty if it lacks one.
std::string as_script(const std::string& text, IndexKind script) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    const std::string_view rest = std::string_view(text).substr(at);
    const auto* sign = std::find_if(std::begin(kIndexSigns), std::end(kIndexSigns),
                                    [&](const IndexSign& s) { return rest.starts_with(s.plain); });
    if (sign == std::end(kIndexSigns)) return "";
    const std::string_view written = script == IndexKind::raised ? sign->raised : sign->lowered;
    if (written.empty()) return "";
    out += written;
    at += sign->plain.size();
  }
  return out;
}

/// Whether a word stands as an index beside `base`: smaller, above or below its line, and no
/// further from it than `reach` of its height. "st" and "th" after a number are no index to a
/// reader, nor is what is filled in at some distance from a colon.
IndexKind script_of(const Word& word, const Word& base, double reach = 0.3) {
  constexpr size_t kMostLetters = 4;
  const int gap = std::max(word.box.x0 - base.box.x1, base.box.x0 - word.box.x1);
  const size_t letters = count_code_points(word.text);
  const bool ordinal = letters > 1 && std::isalpha(uint8_t(word.text[0]));
  if (word.line != base.line) return IndexKind::none;  // sizes of OCR's lines are not that alike
  const bool filled_in = base.text.ends_with(':') && gap > 0.08 * base.box.height();
  if (filled_in || ordinal || letters > kMostLetters || word.font_size_pt <= 0 ||
      word.font_size_pt > 0.85 * base.font_size_pt || gap > reach * base.box.height())
    return IndexKind::none;
  const double height = base.box.height();
  if (word.box.y1 < base.box.y1 - 0.15 * height && word.box.y0 < base.box.y0 + 0.2 * height)
    return IndexKind::raised;
  return word.box.y0 > base.box.y0 + 0.3 * height && word.box.y1 > base.box.y1 - 0.1 * height
             ? IndexKind::lowered
             : IndexKind::none;
}

/// Whether `word` goes on with the index that `last` is of.
bool continues_index(const Word& word, const Word& last) {
  return std::abs(word.font_size_pt - last.font_size_pt) < 0.1 * last.font_size_pt &&
         std::abs(word.box.y1 - last.box.y1) <= 0.3 * last.box.height() &&
         word.box.x0 - last.box.x1 < 0.3 * last.box.height();
}

/// The texts of words in their order, indices in the signs that Unicode has for them.
std::vector<std::string> word_texts(std::span<const Word> words, const std::vector<int>& order) {
  constexpr double kBlank = 0.5;  // heights, behind the mark of a note
  std::vector<std::string> texts;
  IndexKind last = IndexKind::none;
  for (size_t k = 0; k < order.size(); ++k) {
    const Word& word = words[size_t(order[k])];
    IndexKind script = IndexKind::none;
    if (k > 0) {
      const Word& before = words[size_t(order[k - 1])];
      script =
          last != IndexKind::none && continues_index(word, before) ? last : script_of(word, before);
    }
    const bool digits = std::all_of(word.text.begin(), word.text.end(),
                                    [](char c) { return c >= '0' && c <= '9'; });
    if (script == IndexKind::none && k + 1 < order.size() && digits &&
        script_of(word, words[size_t(order[k + 1])], kBlank) == IndexKind::raised)
      script = IndexKind::raised;  // the mark of a note before its text
    const std::string index = script == IndexKind::none ? "" : as_script(word.text, script);
    last = index.empty() ? IndexKind::none : script;
    texts.push_back(index.empty() ? word.text : index);
  }
  return texts;
}

/// How many bytes of a word are in its first letter's font: Chinese behind other letters, "W为", is
/// in one of its own.
size_t end_of_first_font(std::string_view word) {
  constexpr uint32_t kOther = 0x2010;
  if (word.empty() || count_cjk(word) == 0 || first_code_point(word) >= kOther) return word.size();
  size_t at = 0;
  for (size_t end = 0; end < word.size(); at = end)
    if (next_code_point(word, end) >= kOther) return at;
  return word.size();
}

/// Marks the word that the text ends with, from byte `from` on.
void mark_word(MarkedText& text, const Word& word, size_t from) {
  constexpr std::string_view kAfter = ".,;:";  // what is in the font of the word before it
  const std::string_view written = std::string_view(text.text).substr(from);
  const size_t last = written.find_last_not_of(kAfter);
  const size_t to = last == written.npos ? text.text.size() : from + last + 1;
  if (word.formula) return add_mark(text, {TextMark::Kind::formula, from, text.text.size()});
  const size_t styled = std::min(to, from + end_of_first_font(written));
  const FontStyle style = font_style(word.font);
  const bool bold = style.bold || (word.heavy && !word.font.empty());
  if (bold) add_mark(text, {TextMark::Kind::bold, from, styled});
  if (style.italic) add_mark(text, {TextMark::Kind::italic, from, styled});
  if (style.mono) add_mark(text, {TextMark::Kind::code, from, styled});
  if (word.link.empty() || written.empty()) return;
  // A bracket whose other half is in another word is of the text about the link.
  const bool opens = written.starts_with('(') && written.find(')') == written.npos;
  const bool closes = text.text[to - 1] == ')' && written.find('(') == written.npos;
  const size_t first = from + (opens && !style.mono), end = to - (closes && !style.mono);
  if (first < end) add_mark(text, {TextMark::Kind::link, first, end, word.link});
}

}  // namespace

bool is_read_from_right(std::span<const Word> words, std::span<const int> line) {
  int balance = 0;
  for (int i : line)
    if (!words[i].formula) balance += direction(words[i]);
  // A formula alone is an item of a list that is read from the right where its mark stands there.
  return balance < 0 || (balance == 0 && line.size() > 1 && words[line.back()].text == "•");
}

void add_mark(MarkedText& text, TextMark mark) {
  constexpr std::string_view kBetween = " .,;:";
  for (TextMark& other : text.marks) {
    if (mark.kind == TextMark::Kind::formula || other.kind != mark.kind ||
        other.target != mark.target || other.to > mark.from)
      continue;
    const std::string_view between =
        std::string_view(text.text).substr(other.to, mark.from - other.to);
    if (between.find_first_not_of(kBetween) != between.npos) continue;
    other.to = mark.to;
    return;
  }
  text.marks.push_back(std::move(mark));
}

MarkedText marked_line(std::span<const Word> words, std::span<const int> line) {
  MarkedText out;
  const std::vector<int> order = reading_direction(words, line);
  const std::vector<std::string> texts = word_texts(words, order);
  const double within_word = letter_gap(words, order), white = chinese_gap(words, order);
  const bool from_right = is_read_from_right(words, line);
  for (size_t k = 0; k < order.size(); ++k) {
    const Word& word = words[order[k]];
    const size_t from = out.text.size();
    out.text += from_right ? read_from_right(word, texts[k]) : texts[k];
    mark_word(out, word, from);
    if (k + 1 == order.size()) break;
    const Word& next = words[order[k + 1]];
    // The space belongs to the left one of the two, which right-to-left scripts read second.
    const bool forward = next.box.x0 >= word.box.x0;
    const Word& left = forward ? word : next;
    const Word& right = forward ? next : word;
    // Poppler sees no gap between an Arabic and a Latin word; pdftotext too parts them.
    const bool turns = direction(word) * direction(next) < 0 && !word.formula && !next.formula;
    const int gap = right.box.x0 - left.box.x1;
    const bool within = gap <= 1.2 * white && (is_cjk(last_code_point(left.text)) ||
                                               is_cjk(first_code_point(right.text)));
    const bool blank = within_word > 0 ? gap > within_word : !within && blank_between(left, right);
    if (turns || blank) out.text += ' ';
  }
  return out;
}

std::string line_text(std::span<const Word> words, std::span<const int> line) {
  return marked_line(words, line).text;
}

}  // namespace docspec
