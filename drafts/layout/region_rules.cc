#include "drafts/layout/region_rules.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "core/text/unicode.h"
#include "drafts/latex/account_words.h"
#include "drafts/layout/text_openings.h"
#include "drafts/lines/bullets.h"
#include "drafts/lines/font_style.h"
#include "drafts/lines/leaders.h"
#include "drafts/lines/line_text.h"

namespace docspec {

RegionRules::RegionRules(const PageInput& page, const std::vector<TextLine>& lines, double body_px)
    : page_(page), lines_(lines), body_px_(body_px) {
  size_t bold = 0, all = 0;  // letters, those of code too: a page of code has bold headings
  for (const TextLine& line : lines) bold += line.bold ? line.chars : 0, all += line.chars;
  bold_tells_ = bold * 2 < all;
  const auto opened_by = [&](const char* mark) {
    return std::count_if(lines.begin(), lines.end(), [&](const TextLine& line) {
      return line.words.size() > 1 && page.words[size_t(line.words.front())].text == mark;
    });
  };
  // The entries of an index may be bold.
  constexpr std::ptrdiff_t kIndex = 12;
  const auto entries = std::count_if(lines.begin(), lines.end(), [&](const TextLine& line) {
    return line.words.size() > 1 && font_style(page.words[size_t(line.words.front())].font).bold &&
           ends_with_leader(line_text(page.words, line.words));
  });
  bold_tells_ &= entries < kIndex;
  starred_notes_ = opened_by("**") > 0 || opened_by("*") == 1;
  // A form is filled in with larger letters than it has itself.
  constexpr size_t kLongLine = 50, kLeastLines = 4;
  std::map<std::string, std::vector<double>> long_lines;  // sizes by font
  for (const TextLine& line : lines)
    if (line.chars >= kLongLine && !line.bold && !line.rough_size && !line.words.empty())
      long_lines[page.words[line.words.front()].font].push_back(line.size_px);
  for (auto& [font, sizes] : long_lines)
    if (sizes.size() >= kLeastLines) {  // its notes and references may be smaller
      std::sort(sizes.rbegin(), sizes.rend());
      text_fonts_[font] = sizes[kLeastLines - 1];
    }
  for (const Word& word : page.words) font_shares_[word.font] += double(word.text.size());
  for (auto& [font, share] : font_shares_) share /= std::max(1.0, double(all));
  for (const TextLine& line : lines)
    if (line.middle() < 0.5 * page.height_px && line.quarter_turns == 0 && line.chars >= 4)
      largest_px_ = std::max(largest_px_, line.size_px);
}

bool RegionRules::is_title(const TextBlock& block, const std::string& text, bool first) const {
  const TextLine& line = lines_[block.front()];
  if (line.rough_size && (letter_share(text) == 0 || has_relation(text))) return false;
  if (!is_of_largest(line) || line.middle() > 0.5 * page_.height_px || line.chars < 4 ||
      rows_in(block, lines_) > 4)
    return false;
  if (page_.page == 1 && line.size_px >= 1.3 * body_px_) return true;
  // The line that opens a page needs to stand out less; past the first page it must be centred too.
  const bool centred =
      std::abs(line.box.x0 + line.box.x1 - page_.width_px) < 0.06 * page_.width_px &&
      line.box.width() < 0.7 * page_.width_px;
  return first && !digit(text[0]) && !text.ends_with('.') && !text.ends_with("\u3002") &&
         line.size_px >= 1.1 * body_px_ &&
         (page_.page == 1 ? line.bold || centred : line.bold && centred);
}

/// The line or two at the head of a slide, in its largest letters.
bool RegionRules::is_slide_title(const TextBlock& block, const std::string& text) const {
  constexpr size_t kLongest = 90;
  const TextLine& line = lines_[size_t(block.front())];
  return page_.width_px * 10 > page_.height_px * 12 && line.middle() < 0.2 * page_.height_px &&
         line.size_px >= 1.05 * body_px_ && is_of_largest(line) && rows_in(block, lines_) <= 2 &&
         count_code_points(text) <= kLongest && letter_share(text) > 0.5 && !text.ends_with('.') &&
         !line.mono;
}

/// A line or two with a relation, names of a letter or few, and next to no words.
bool RegionRules::is_formula(const TextBlock& block, const std::string& text) const {
  if (text.size() > 200 || rows_in(block, lines_) > 4 || lines_[block.front()].mono) return false;
  if (!has_relation(text) || count_cjk(text) >= 8) return false;  // a sentence in Chinese
  std::vector<const Word*> words;
  size_t long_words = 0;
  for (int i : block)
    for (int w : lines_[i].words) {
      const std::string& word = page_.words[w].text;
      const auto letters =
          std::count_if(word.begin(), word.end(), [](char c) { return std::isalpha(uint8_t(c)); });
      if (lines_[i].rough_size && count_cjk(word) > 0) return false;
      words.push_back(&page_.words[w]);
      long_words += letters > 2;
    }
  return words.size() >= 3 && long_words * 6 <= words.size() && !is_account(words);
}

/// "Agency: Department of Roads": a label and a value in another font.
bool RegionRules::is_filled_in(const TextLine& line) const {
  for (size_t k = 0; k + 1 < line.words.size(); ++k) {
    const Word &label = page_.words[line.words[k]], &value = page_.words[line.words[k + 1]];
    if (label.text.ends_with(':') && label.font != value.font) return true;
  }
  return false;
}

/// Whether all of a line is in a font of few of the page's letters, in which no text runs, as the
/// headings of Word's styles are.
bool RegionRules::is_in_own_font(const TextLine& line) const {
  constexpr double kMostShare = 0.16;
  // Its number may be in a font of another script.
  const size_t first = digit(page_.words[size_t(line.words[0])].text[0]) && line.words.size() > 1;
  const std::string& font = page_.words[size_t(line.words[first])].font;
  if (line.rough_size || font.empty() || text_fonts_.empty() || text_fonts_.contains(font))
    return false;
  const auto share = font_shares_.find(font);
  return share != font_shares_.end() && share->second <= kMostShare &&
         std::all_of(line.words.begin() + std::ptrdiff_t(first), line.words.end(),
                     [&](int w) { return page_.words[size_t(w)].font == font; });
}

/// Whether two lines and more of smaller letters stand in its row, and nothing below it: the foot
/// of a form.
bool RegionRules::is_of_foot(const TextLine& line) const {
  constexpr std::ptrdiff_t kLeast = 2;
  const auto below = [&](const TextLine& other) { return other.box.y0 > line.box.y1; };
  return std::none_of(lines_.begin(), lines_.end(), below) &&
         std::count_if(lines_.begin(), lines_.end(), [&](const TextLine& other) {
           return row_overlap(other.box, line.box) > 0.5 && other.quarter_turns == 0 &&
                  other.size_px < 0.9 * line.size_px && !other.bold;
         }) >= kLeast;
}

bool RegionRules::is_heading(const TextBlock& block, const std::string& text) const {
  const TextLine& line = lines_[block.front()];
  const size_t chars = count_code_points(text);
  const size_t rows = rows_in(block, lines_);
  // "Version 1.1, 2011-04-10"
  const bool dated = line.bold && std::isalpha(uint8_t(text[0])) && letter_share(text) > 0.3;
  const bool box = text.starts_with("☐") || text.starts_with("☑") || text.starts_with("☒");
  if (heads_nothing(text) || box || is_of_foot(line)) return false;
  // OCR sees the rows of a formula as large letters.
  if (is_filled_in(line) || (line.rough_size && (!has_word(text) || has_relation(text))))
    return false;
  const bool stands_out = line.bold && bold_tells_ && line.size_px >= 1.15 * body_px_;
  // "22.58 Version 3.0.1"
  const bool numbered = stands_out && digit(text[0]) && letter_share(text) > 0.3;
  if (chars > 160 || rows > 3 || (letter_share(text) < 0.5 && !dated && !numbered)) return false;
  if (text.ends_with(',') || text.ends_with("、") || (text.ends_with(';') && !stands_out))
    return false;
  const bool clauses = text.ends_with("：") && text.find("，") != text.npos;
  if ((rows > 1 || line.bold || line.rough_size) && (text.ends_with("。") || clauses)) return false;
  if (chars > 40 && runs_on(lines_[size_t(block.back())], text)) return false;
  // The end of a sentence that OCR saw too large.
  if (line.rough_size && std::islower(uint8_t(text[0])) && text.ends_with('.')) return false;
  // A sentence in Chinese that a formula within makes tall.
  constexpr size_t kClauses = 16;
  if (line.rough_size && !line.bold && chars > kClauses && text.find("，") != text.npos)
    return false;
  // Sentences of a page that is warped, on which sizes go astray.
  constexpr size_t kSentence = 40;
  if (line.rough_size && !line.bold && chars > kSentence && text.ends_with('.')) return false;
  // The first words of a paragraph may be bold.
  const bool of_text = std::any_of(line.words.begin(), line.words.end(), [&](int w) {
    const auto font = text_fonts_.find(page_.words[size_t(w)].font);
    return font != text_fonts_.end() && line.size_px <= 1.05 * font->second;
  });
  const bool said = text.ends_with('.') && chars > kSentence && line.size_px < 2 * body_px_;
  const size_t shortest = is_cjk(first_code_point(text)) ? 2 : 3;  // a name in Chinese
  if (line.size_px >= (line.rough_size ? 1.3 : 1.15) * body_px_ && chars >= shortest && !of_text &&
      !said)
    return true;
  if (rows == 1 && is_in_own_font(line) && line.size_px >= 1.04 * body_px_ && chars >= 3 &&
      chars <= 80 && std::isupper(uint8_t(text[0])) &&
      std::string_view(".:;!?").find(text.back()) == std::string_view::npos)
    return true;
  // "2.1.1 Trips" may be of another font, whose letters are smaller.
  const size_t blank = text.find(' ');
  const auto levels = digit(text[0]) && blank != text.npos
                          ? std::count(text.begin(), text.begin() + std::ptrdiff_t(blank), '.')
                          : 0;
  const double least = line.rough_size || levels >= 2 ? 0.8 : is_in_capitals(text) ? 0.9 : 0.95;
  const bool sentence = text.ends_with('.') || (chars > 100 && levels == 0);
  const bool point = line.bold && bold_tells_ && is_bold_point(block, text);
  // Of a paragraph in Chinese whose first line is bold for the most part.
  const bool bold =
      std::all_of(block.begin(), block.end(), [&](int i) { return lines_[size_t(i)].bold; });
  return bold && bold_tells_ && (!sentence || point) &&
         (point || !std::islower(uint8_t(text[0]))) &&
         (line.size_px >= least * body_px_ || (rows == 1 && heads_smaller_text(line, text)));
}

/// "II. The judgment must be mended.", "k. Assignment:", "1.1. Type B.": bold lines behind a mark,
/// above plain text, as courts and contracts write their headings. One in small letters or with a
/// number is short.
bool RegionRules::is_bold_point(const TextBlock& block, std::string_view text) const {
  constexpr double kReach = 3;  // em
  constexpr size_t kShort = 60;
  const TextLine& last = lines_[size_t(block.back())];
  const std::string_view mark = text.substr(0, text.find(' '));
  if (mark.size() < 2 || mark.back() != '.' || mark.size() + 1 >= text.size()) return false;
  const auto all_of = [&](std::string_view letters) {
    return mark.find_first_not_of(letters) == mark.npos;
  };
  const bool lettered = mark.size() == 2 && std::isalpha(uint8_t(mark[0]));
  const bool plain = all_of("0123456789.") || (lettered && std::islower(uint8_t(mark[0])));
  if (plain ? text.size() > kShort || std::islower(uint8_t(text[mark.size() + 1]))
            : !lettered && !all_of("IVX."))
    return false;
  const TextLine* below = nullptr;
  for (const TextLine& other : lines_)
    if (other.box.y0 > last.middle() && other.box.x0 < last.box.x1 && other.box.x1 > last.box.x0 &&
        (!below || other.box.y0 < below->box.y0))
      below = &other;
  return std::all_of(block.begin(), block.end(), [&](int i) { return lines_[size_t(i)].bold; }) &&
         below && !below->bold && below->middle() - last.middle() < kReach * last.size_px;
}

/// Whether a sentence that a line does not end goes on in small letters right below it: text around
/// a picture stands in pieces.
bool RegionRules::runs_on(const TextLine& line, const std::string& text) const {
  constexpr double kNear = 0.7;  // em
  if (!std::isalpha(uint8_t(text.back())) && text.back() != ',') return false;
  const std::string& font = page_.words[size_t(line.words.back())].font;
  return std::any_of(lines_.begin(), lines_.end(), [&](const TextLine& other) {
    return !other.words.empty() && other.box.y0 > line.middle() &&
           other.box.y0 - line.box.y1 < kNear * line.size_px && other.box.x0 < line.box.x1 &&
           other.box.x1 > line.box.x0 && other.quarter_turns == 0 && other.bold == line.bold &&
           other.mono == line.mono && page_.words[size_t(other.words.front())].font == font &&
           std::islower(uint8_t(page_.words[size_t(other.words.front())].text[0])) != 0;
  });
}

/// Whether a line of words alone stands right above a longer line of no larger letters, which
/// begins where it does: small headings and the headings of small text.
bool RegionRules::heads_smaller_text(const TextLine& line, const std::string& text) const {
  constexpr double kNear = 2, kLeastOfBody = 0.7;
  if (line.rough_size || line.size_px < kLeastOfBody * body_px_ ||
      !std::isupper(uint8_t(text[0])) || letter_share(text) < 0.8 ||
      std::string_view(".:;,").find(text.back()) != text.npos)
    return false;
  const TextLine* below = nullptr;
  for (const TextLine& other : lines_)
    if (other.box.y0 > line.middle() && std::abs(other.box.x0 - line.box.x0) < 1.5 * line.size_px &&
        other.middle() - line.middle() < kNear * line.size_px &&
        (!below || other.middle() < below->middle()))
      below = &other;
  return below && !below->bold && below->size_px <= 1.08 * line.size_px &&
         below->box.x1 > line.box.x1 + line.size_px && below->quarter_turns == 0;
}

/// A line of the text's own size that heads a section: numbered, in capitals or italics; or one of
/// the words that always do.
bool RegionRules::is_plain_heading(const TextBlock& block, const std::string& text) const {
  static constexpr std::array<std::string_view, 10> kWords = {
      "abstract",       "references", "bibliography", "acknowledgments", "acknowledgements",
      "acknowledgment", "contents",   "summary",      "introduction",    "conclusion"};
  const TextLine& line = lines_[size_t(block.front())];
  if (text.size() > 90 || rows_in(block, lines_) > 2) return false;
  // "6.1.4 Remembering the past." in slanted letters.
  const std::string_view levels = std::string_view(text).substr(0, text.find(' '));
  if (line.italic && levels.size() < text.size() && digit(levels.back()) &&
      std::count(levels.begin(), levels.end(), '.') >= 2 &&
      levels.find_first_not_of("0123456789.") == levels.npos)
    return true;
  // "2.1 MODEL SIZE", "A.3 DETAILS" in small capitals.
  const std::string_view number_of =
      levels.substr(!levels.empty() && std::isupper(uint8_t(levels[0])));
  if (line.small_capitals && levels.size() < text.size() &&
      number_of.find_first_not_of("0123456789.") == levels.npos)
    return true;
  // "1.3 Διεπαφές" in a font of headings, in any script with capitals.
  if (block.size() == 1 && std::count(levels.begin(), levels.end(), '.') >= 1 && digit(levels[0]) &&
      levels.find_first_not_of("0123456789.") == levels.npos &&
      levels.find('.') + 1 < levels.size() && levels.size() + 1 < text.size() &&
      line.size_px >= 0.95 * body_px_ && is_in_own_font(line) &&
      std::string_view(".,;").find(text.back()) == std::string_view::npos) {
    size_t at = levels.size() + 1;
    const uint32_t initial = next_code_point(text, at);
    if (lower_case(initial) != initial) return true;
  }
  // "A. Transactions and technologies." in slanted letters.
  constexpr size_t kLongestLettered = 60;
  if (line.italic && levels.size() == 2 && std::isupper(uint8_t(levels[0])) && levels[1] == '.' &&
      text.size() > 3 && text.size() <= kLongestLettered && std::isupper(uint8_t(text[3])) &&
      block.size() == 1)
    return true;
  // "II. THE MARKET" may be as small as the small capitals of others.
  const bool roman = levels.size() > 1 && levels.back() == '.' &&
                     levels.find_first_not_of("IVX") == levels.size() - 1;
  const double least = line.rough_size ? 0.8 : line.bold ? 0.85 : roman ? 0.75 : 0.95;
  if (text.ends_with('.') || line.size_px < least * body_px_) return false;
  std::string lower;
  for (char c : text) lower += char(std::tolower(uint8_t(c)));
  if (std::find(kWords.begin(), kWords.end(), lower) != kWords.end()) return true;
  const size_t blank = text.find(' ');
  if (blank == text.npos || blank < 2 || text[blank - 1] != '.') return false;
  const std::string_view number = std::string_view(text).substr(0, blank - 1);
  const std::string_view rest = std::string_view(text).substr(blank + 1);
  const bool year = number.size() == 4 && number.find('.') == number.npos;  // of a reference
  const bool counts = number.find_first_not_of("IVX") == number.npos ||
                      (number.find_first_not_of("0123456789.") == number.npos && !year) ||
                      (number.size() == 1 && std::isupper(uint8_t(number[0])));
  const auto upper =
      std::count_if(rest.begin(), rest.end(), [](char c) { return std::isupper(uint8_t(c)); });
  const bool capitals = upper >= 4 && std::none_of(rest.begin(), rest.end(),
                                                   [](char c) { return std::islower(uint8_t(c)); });
  const bool lettered = number.size() == 1 && std::isupper(uint8_t(number[0]));
  return counts && !rest.empty() &&
         (capitals ||
          ((line.italic || (lettered && is_in_own_font(line))) && letter_share(rest) > 0.8));
}

/// A numbered line alone in the middle of its column; one of a single number has a font of its own.
/// Also one of bold capitals, which may be smaller than the text.
bool RegionRules::is_centred_heading(const TextBlock& block, const std::string& text) const {
  constexpr size_t kLongest = 80;
  constexpr double kReach = 8, kIndent = 3, kSmallest = 0.75;  // em; of the text's size
  const TextLine& line = lines_[size_t(block.front())];
  const size_t blank = text.find(' ');
  if (block.size() > 1 || text.size() > kLongest || text.ends_with('.') || text.ends_with(','))
    return false;
  const bool numbered = blank != text.npos && digit(text[0]) &&
                        text.find_first_not_of("0123456789.") == blank &&
                        std::isupper(uint8_t(text[blank + 1])) &&
                        (text.find('.') + 1 < blank || is_in_own_font(line));
  const bool capitals =
      line.bold && bold_tells_ && text.size() > 3 && letter_share(text) > 0.8 &&
      line.size_px >= kSmallest * body_px_ &&
      std::none_of(text.begin(), text.end(), [](char c) { return std::islower(uint8_t(c)) != 0; });
  if (!numbered && !capitals) return false;
  Box column = line.box;
  for (const TextLine& other : lines_)
    if (std::abs(other.middle() - line.middle()) < kReach * line.size_px &&
        other.box.x0 < line.box.x1 && other.box.x1 > line.box.x0)
      column = unite(column, other.box);
  return line.box.x0 - column.x0 > kIndent * line.size_px &&
         std::abs(line.box.x0 - column.x0 - column.x1 + line.box.x1) <
             (capitals ? 5 : 2) * line.size_px;
}

/// "S. Kolb, C. Sturm (Eds.)": initials, of which the first looks like the mark of an item.
bool RegionRules::opens_names(const TextLine& line) const {
  const auto is_initial = [&](int w) {
    const std::string& text = page_.words[size_t(w)].text;
    return text.size() == 2 && std::isupper(uint8_t(text[0])) && text[1] == '.';
  };
  return is_initial(line.words.front()) &&
         std::count_if(line.words.begin(), line.words.end(), is_initial) > 1;
}

RegionKind RegionRules::kind(const TextBlock& block, bool first_of_page) const {
  const TextLine& line = lines_[block.front()];
  if (line.words.empty() || line.quarter_turns != 0) return RegionKind::text;
  std::string text;
  for (int i : block) text += (text.empty() ? "" : " ") + line_text(page_.words, lines_[i].words);
  if (ends_with_leader(text)) return RegionKind::list_item;
  const bool box = text.starts_with("Box ");  // of a form, which the text explains
  if (opens_caption(text) && !(box && is_heading(block, text))) return RegionKind::caption;
  const bool address =
      block.size() == 1 &&
      (text.find('@') != text.npos || text.starts_with("http") || text.starts_with("URL http"));
  const std::string& first = page_.words[line.words.front()].text;
  const bool label =
      (first.ends_with(':') || (is_bullet(first) && uint8_t(first.back()) >= 0x80)) &&
      !font_style(page_.words[line.words.front()].font).mono;
  const bool small = line.size_px < 0.93 * body_px_;
  const bool low = line.box.y0 > 0.6 * page_.height_px;
  const bool raised = uint8_t(text[0]) >= 0x80 && opens_note(text);  // and not a number of code
  if (small && low && raised) return RegionKind::footnote;
  const bool mono = std::all_of(block.begin(), block.end(), [&](int i) { return lines_[i].mono; });
  if (mono && !address && !label) return RegionKind::code;
  const bool bullet = is_bullet(first) && uint8_t(first.back()) >= 0x80 && line.words.size() > 1;
  // "(1)" may be the number of an equation.
  const bool item = line.words.size() > 1 && is_list_marker(first) &&
                    (first.back() == '.' || (first.size() > 1 && std::isalpha(uint8_t(first[1]))));
  if (!bullet && !item && is_formula(block, text)) return RegionKind::formula;
  const bool starred = text[0] == '*';  // a note below a title or a table
  const bool heads = !is_formulas(page_.words, line) && !heads_nothing(text);
  if (heads && !starred && !bullet && is_title(block, text, first_of_page))
    return RegionKind::title;
  if (first_of_page && is_slide_title(block, text)) return RegionKind::section_header;
  if (heads && !address && !starred && !(is_bullet(first) && uint8_t(first.back()) >= 0x80) &&
      is_heading(block, text))
    return RegionKind::section_header;
  if (heads && (is_plain_heading(block, text) || is_centred_heading(block, text)))
    return RegionKind::section_header;
  if (small && low && opens_note(text)) return RegionKind::footnote;
  const bool enclosed = is_bullet(first) && page_.words[line.words.back()].text == first;
  if (line.words.size() > 1 && is_list_marker(first) && !(starred && starred_notes_) && !enclosed) {
    const bool levels = digit(first[0]) && first.find('.') + 1 < first.size();  // "3.5.2."
    const bool closed = !digit(first.back()) && !levels;
    const std::string& second = page_.words[line.words[1]].text;
    const bool cited = first[0] == '[' && std::islower(uint8_t(second[0]));  // "[8] offers"
    if (closed && !cited && !opens_names(line)) return RegionKind::list_item;
  }
  return RegionKind::text;
}

}  // namespace docspec
