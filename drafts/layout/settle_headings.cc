#include "drafts/layout/settle_headings.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string>

#include "core/text/unicode.h"
#include "drafts/lines/bullets.h"
#include "drafts/lines/font_style.h"

namespace docspec {

void settle_title(std::vector<Region>& regions, const std::vector<TextLine>& lines,
                  std::vector<int>& first, std::span<const Word> words) {
  const auto title = std::find_if(regions.begin(), regions.end(), [](const Region& region) {
    return region.kind == RegionKind::title;
  });
  if (title == regions.end() || words.empty()) return;
  const size_t at = size_t(title - regions.begin());
  const auto line = [&](size_t i) -> const TextLine& { return lines[size_t(first[i])]; };
  const double size = line(at).size_px;
  const auto is_heading = [](const Region& region) {
    return region.kind == RegionKind::title || region.kind == RegionKind::section_header;
  };
  while (at + 1 < regions.size() && first[at + 1] >= 0) {
    const Region& next = regions[at + 1];
    if (!is_heading(next) || std::abs(line(at + 1).size_px - size) > 0.05 * size ||
        next.box.y0 - title->box.y1 > 0.8 * size || next.box.y0 < title->box.y0)
      break;
    title->box = unite(title->box, next.box);
    regions.erase(regions.begin() + std::ptrdiff_t(at + 1));
    first.erase(first.begin() + std::ptrdiff_t(at + 1));
  }
  for (size_t i = 0; i < regions.size(); ++i) regions[i].id = regions[i].order = int(i);
  const auto font = [&](size_t i) { return words[size_t(line(i).words.front())].font; };
  const auto is_numbered = [&](size_t i) {
    return std::isdigit(uint8_t(words[size_t(line(i).words.front())].text[0])) != 0;
  };
  // A heading in its style above it, or below other text, says that it is none.
  const auto is_like = [&](size_t i) {
    if (!is_heading(regions[i]) || first[i] < 0) return false;
    constexpr double kSame = 0.02, kRough = 0.05, kRoughNumbered = 0.15;  // of the size
    const bool numbered = is_numbered(i) && is_numbered(at), rough = line(i).rough_size;
    const double most = !rough ? kSame : numbered ? kRoughNumbered : kRough;
    return std::abs(line(i).size_px - size) < most * size && line(i).bold == line(at).bold &&
           (rough || font(i) == font(at)) &&
           (numbered || std::abs(regions[i].box.x0 - title->box.x0) < (rough ? 0.3 : 1) * size);
  };
  const auto holds_text = [](const Region& region) {
    return region.kind == RegionKind::text || region.kind == RegionKind::list_item ||
           region.kind == RegionKind::code || region.kind == RegionKind::table;
  };
  bool text_between = false;
  for (size_t i = 0; i < regions.size() && title->kind == RegionKind::title; ++i) {
    text_between |= i > at && holds_text(regions[i]);
    if ((i < at || text_between) && is_like(i))
      title->kind = regions[i].kind = RegionKind::section_header;
  }
  if (title->kind != RegionKind::title) return;
  // A second title below it in another font is a name.
  if (at + 1 < regions.size() && first[at + 1] >= 0 && regions[at + 1].kind == RegionKind::title &&
      !line(at + 1).bold && font(at + 1) != font(at))
    regions[at + 1].kind = RegionKind::text;
  // So are three headings and more side by side below it, and two of plain text below a bold title.
  std::vector<size_t> below;
  for (size_t i = at + 1; i < regions.size() && first[i] >= 0; ++i)
    if (regions[i].kind == RegionKind::section_header) below.push_back(i);
  for (size_t k = 0; k < below.size(); ++k) {
    const size_t i = below[k];
    const auto in_row = [&](size_t j) {
      return row_overlap(regions[below[j]].box, regions[i].box) > 0.5 &&
             regions[below[j]].box.y0 - title->box.y1 < 8 * size;
    };
    // Headings of columns have others of their columns between them.
    size_t from = k, to = k;
    while (to < below.size() && in_row(to)) ++to;
    while (from > 0 && in_row(from - 1)) --from;
    constexpr size_t kLeastNames = 3, kLeastWords = 3;
    const bool plain = line(at).bold && !line(i).bold && line(i).words.size() >= kLeastWords;
    if (to > from && to - from >= (plain ? kLeastNames - 1 : kLeastNames))
      regions[i].kind = RegionKind::text;
  }
  // A heading with others in its letters below text at its edge is of the text.
  const auto heads_text = [&](size_t i) {
    bool above = false;
    for (size_t j = i + 1; j < regions.size(); ++j) {
      above |= holds_text(regions[j]);
      if (above && first[j] >= 0 && regions[j].kind == RegionKind::section_header &&
          !line(i).rough_size && font(j) == font(i) &&
          std::abs(line(j).size_px - line(i).size_px) < 0.02 * size &&
          std::abs(regions[j].box.x0 - regions[i].box.x0) < 0.3 * size)
        return true;
    }
    return false;
  };
  const auto middle = [](const Box& box) { return (box.x0 + box.x1) / 2.0; };
  bool names = false;  // stand between, and a date may follow
  for (size_t i = at + 1; i < regions.size() && first[i] >= 0; ++i) {
    const Box& box = regions[i].box;
    const bool below_its_middle = std::abs(middle(box) - middle(title->box)) < 0.3 * size &&
                                  std::abs(box.x0 - title->box.x0) > size;
    if (regions[i].kind == RegionKind::text && below_its_middle) {
      names = true;
      continue;
    }
    const bool number = is_list_marker(words[size_t(line(i).words.front())].text);
    const bool dated = std::any_of(line(i).words.begin(), line(i).words.end(), [&](int w) {
      const std::string& text = words[size_t(w)].text;
      return text.size() >= 4 && std::all_of(text.begin(), text.begin() + 4,
                                             [](char c) { return std::isdigit(uint8_t(c)) != 0; });
    });
    if (names && !dated) break;  // "Abstract"
    if (regions[i].kind != RegionKind::section_header || line(i).bold ||
        (number && !(dated && below_its_middle)) || line(i).size_px > 0.9 * size || heads_text(i))
      break;
    regions[i].kind = RegionKind::text;
  }
}

namespace {

/// The number of "12." or "12)", 0 of anything else.
int item_number(const std::string& word) {
  const size_t digits = word.find_first_not_of("0123456789");
  const bool one = digits > 0 && digits <= 2 && digits + 1 == word.size() &&
                   (word.back() == '.' || word.back() == ')');
  return one ? std::stoi(word) : 0;
}

/// Whether `line` is numbered like the item `next` right below it, but for one less.
bool counts_on(const TextLine& line, const TextLine& next, std::span<const Word> words) {
  const int number = item_number(words[size_t(line.words.front())].text);
  return number > 0 && item_number(words[size_t(next.words.front())].text) == number + 1 &&
         line.bold == next.bold && line.size_px < (line.rough_size ? 1.5 : 1.1) * next.size_px &&
         std::abs(line.box.x0 - next.box.x0) < line.size_px &&
         next.box.y0 - line.box.y1 < line.size_px;
}

/// The capital of "H." before a line's text, as an item or a name has it; 0 where there is none.
char lone_capital(const TextLine& line, std::span<const Word> words) {
  const std::string first = line.words.empty() ? "" : words[size_t(line.words.front())].text;
  const bool one = first.size() == 2 && std::isupper(uint8_t(first[0])) && first[1] == '.';
  return one ? first[0] : '\0';
}

/// Regions that begin with an initial, "H. Smith", and are no items: the letter before or after
/// opens no neighbour, as "G." and "I." do, or the letters of most neighbours do not follow each
/// other, as those of references. `first`: the first lines of the regions, -1 of those without.
std::vector<size_t> find_names(const std::vector<TextLine>& lines, const std::vector<int>& first,
                               std::span<const Word> words) {
  std::vector<std::pair<size_t, char>> lettered;
  for (size_t i = 0; i < first.size(); ++i)
    if (const char own = first[i] < 0 ? '\0' : lone_capital(lines[size_t(first[i])], words))
      lettered.emplace_back(i, own);
  const auto counts = [&](size_t k) {  // from the one before
    return k > 0 && k < lettered.size() && lettered[k].second == lettered[k - 1].second + 1;
  };
  size_t steps = 0, jumps = 0;
  for (size_t k = 1; k < lettered.size(); ++k)
    (counts(k) ? steps : jumps) += counts(k) || lettered[k].second != 'A';  // of the next list
  std::vector<size_t> names;
  for (size_t k = 0; k < lettered.size(); ++k)
    if (jumps > steps || (!counts(k) && !counts(k + 1))) names.push_back(lettered[k].first);
  return names;
}

/// "3.1" in "3.1 Warranty": two levels and more, without a point at its end.
bool is_level(const std::string& word) {
  return word.size() > 2 && word.find_first_not_of("0123456789.") == word.npos &&
         word.find('.') != word.npos && word.find("..") == word.npos && word.front() != '.' &&
         word.back() != '.';
}

size_t level_count(const std::string& number) {
  return size_t(std::count(number.begin(), number.end(), '.')) + 1;
}

/// The number of the section after "5.4.10" in the same one: "5.4.11".
std::string next_level(const std::string& number) {
  const size_t last = number.rfind('.') + 1;
  return number.substr(0, last) + std::to_string(std::stoi(number.substr(last, 6)) + 1);
}

/// Short lines numbered "3.1", "3.2", each above prose, are headings though nothing else tells.
void settle_levels(std::vector<Region>& regions, const std::vector<TextLine>& lines,
                   const std::vector<int>& first, const std::vector<size_t>& rows,
                   std::span<const Word> words) {
  constexpr size_t kMostWords = 8, kLeast = 3;
  std::vector<size_t> found;
  size_t above_prose = 0;
  for (size_t i = 0; i < regions.size(); ++i) {
    if (first[i] < 0 || regions[i].kind != RegionKind::text || rows[i] != 1) continue;
    const auto& own = lines[size_t(first[i])].words;
    if (own.size() < 2 || own.size() > kMostWords || !is_level(words[size_t(own[0])].text) ||
        !std::isupper(uint8_t(words[size_t(own[1])].text[0])) ||
        !std::isalpha(uint8_t(words[size_t(own.back())].text.back())))
      continue;
    found.push_back(i);
    above_prose += i + 1 < regions.size() && regions[i + 1].kind == RegionKind::text &&
                   rows[i + 1] > 1 && regions[i + 1].box.x1 > regions[i].box.x1;
  }
  // Two are enough where they count on within the same section: "5.4.10", "5.4.11".
  const auto number = [&](size_t i) {
    return words[size_t(lines[size_t(first[i])].words.front())].text;
  };
  const bool pair = found.size() == 2 && above_prose == 2 && level_count(number(found[0])) > 2 &&
                    next_level(number(found[0])) == number(found[1]);
  if ((found.size() < kLeast && !pair) || above_prose * 4 < found.size() * 3) return;
  for (const size_t i : found) regions[i].kind = RegionKind::section_header;
}

/// "(b)" in bold letters between the items "(a)" and "(c)" is one of them.
void settle_bold_items(std::vector<Region>& regions, const std::vector<TextLine>& lines,
                       const std::vector<int>& first, std::span<const Word> words) {
  const auto mark = [&](size_t i) {
    const bool known = i < regions.size() && first[i] >= 0;
    const std::string text = known ? words[size_t(lines[size_t(first[i])].words.front())].text : "";
    return text.size() > 2 && text.front() == '(' && text.back() == ')' ? text : std::string();
  };
  const auto is_item = [&](size_t i) {
    return i < regions.size() && regions[i].kind == RegionKind::list_item && !mark(i).empty();
  };
  for (size_t i = 0; i < regions.size(); ++i)
    if (regions[i].kind == RegionKind::section_header && !mark(i).empty() &&
        (is_item(i + 1) || (i > 0 && is_item(i - 1))))
      regions[i].kind = RegionKind::list_item;
}

/// The number of "5、Ricchio" or "5." and the mark that ends it; 0 of a word without both.
std::pair<int, std::string> number_and_mark(const std::string& word) {
  const size_t digits = std::min(word.find_first_not_of("0123456789"), word.size());
  const std::string_view rest = std::string_view(word).substr(digits);
  if (digits == 0 || digits > 2) return {};
  for (const std::string_view mark : {"、", "．", ")"})
    if (rest.starts_with(mark)) return {std::stoi(word), std::string(mark)};
  return rest == "." ? std::pair(std::stoi(word), std::string(".")) : std::pair(0, std::string());
}

/// "五、Queries": a number in Chinese before a few letters.
bool has_chinese_number(const std::string& word) {
  constexpr size_t kMostDigits = 3;
  size_t at = 0;
  for (size_t digits = 0; digits <= kMostDigits && at < word.size(); ++digits) {
    const size_t here = at;
    const std::string_view letter =
        std::string_view(word).substr(here, (next_code_point(word, at), at - here));
    if (letter == "、") return digits > 0;
    if (std::string_view("一二三四五六七八九十").find(letter) == std::string_view::npos)
      return false;
  }
  return false;
}

/// A short line with the number before or after that of a heading, at its edge and in its bold
/// font, is a heading of the same series, though some of it is in letters that tell no weight; and
/// so is one with a number in Chinese above the first of them.
void settle_series(std::vector<Region>& regions, const std::vector<TextLine>& lines,
                   const std::vector<int>& first, const std::vector<size_t>& rows,
                   std::span<const Word> words) {
  constexpr size_t kLongest = 40;  // letters
  const auto opening = [&](size_t i) -> const Word& {
    return words[size_t(lines[size_t(first[i])].words.front())];
  };
  const auto is_short = [&](size_t i) {
    if (first[i] < 0 || rows[i] != 1 || lines[size_t(first[i])].words.empty()) return false;
    const TextLine& line = lines[size_t(first[i])];
    const std::string& last = words[size_t(line.words.back())].text;
    const bool is_text =
        regions[i].kind == RegionKind::text || regions[i].kind == RegionKind::list_item;
    return is_text && line.chars <= kLongest && !line.rough_size && !last.ends_with("。") &&
           !last.ends_with("；") && last.back() != '.' && last.back() != ';';
  };
  const auto has_font_of = [&](const TextLine& line, const TextLine& other) {
    return std::all_of(line.words.begin(), line.words.end(), [&](int w) {
      const bool chinese = is_cjk(first_code_point(words[size_t(w)].text));  // of any weight
      return chinese || std::any_of(other.words.begin(), other.words.end(), [&](int v) {
               return words[size_t(w)].font == words[size_t(v)].font;
             });
    });
  };
  // A heading with the number before or after it, at its edge and in its fonts.
  const auto is_of_series = [&](size_t i, size_t j) {
    if (regions[j].kind != RegionKind::section_header || first[j] < 0) return false;
    const TextLine &own = lines[size_t(first[i])], &other = lines[size_t(first[j])];
    const auto [number, mark] = number_and_mark(opening(i).text);
    const auto [another, its_mark] = number_and_mark(opening(j).text);
    return number > 0 && another > 0 && mark == its_mark && std::abs(number - another) == 1 &&
           opening(i).font == opening(j).font && font_style(opening(i).font).bold &&
           std::abs(own.size_px - other.size_px) < 0.05 * own.size_px &&
           std::abs(own.box.x0 - other.box.x0) < 0.3 * own.size_px && has_font_of(own, other);
  };
  for (size_t i = 0; i < regions.size(); ++i) {
    bool found = false;
    for (size_t j = 0; j < regions.size() && !found && is_short(i); ++j) found = is_of_series(i, j);
    if (found) regions[i].kind = RegionKind::section_header;
  }
  // A number in Chinese above the first of the headings that are numbered in digits.
  for (size_t i = 0; i + 1 < regions.size(); ++i)
    if (is_short(i) && has_chinese_number(opening(i).text) && first[i + 1] >= 0 &&
        regions[i + 1].kind == RegionKind::section_header &&
        number_and_mark(opening(i + 1).text).first == 1)
      regions[i].kind = RegionKind::section_header;
}

}  // namespace

void settle_numbered_lines(std::vector<Region>& regions, const std::vector<TextLine>& lines,
                           const std::vector<int>& first, const std::vector<size_t>& rows,
                           std::span<const Word> words) {
  constexpr size_t kMostWords = 8;
  settle_levels(regions, lines, first, rows, words);
  settle_bold_items(regions, lines, first, words);
  for (size_t i = regions.size(); i-- > 1;)  // "1. JSON" above "2. Markdown"
    if (regions[i].kind == RegionKind::list_item && first[i] >= 0 && first[i - 1] >= 0 &&
        regions[i - 1].kind == RegionKind::section_header && rows[i - 1] == 1 &&
        counts_on(lines[size_t(first[i - 1])], lines[size_t(first[i])], words))
      regions[i - 1].kind = RegionKind::list_item;
  for (size_t i = 0; i + 1 < regions.size(); ++i) {
    if (first[i] < 0 || regions[i].kind != RegionKind::list_item || rows[i] != 1) continue;
    const TextLine& line = lines[size_t(first[i])];
    const std::string& number = words[size_t(line.words.front())].text;
    const Region& next = regions[i + 1];
    const bool above_text = next.kind == RegionKind::text && rows[i + 1] > 1 &&
                            next.box.y0 >= regions[i].box.y1 - int(0.5 * line.size_px) &&
                            next.box.y0 - regions[i].box.y1 < 3 * line.size_px &&
                            next.box.x1 > regions[i].box.x1;
    const bool among_others = i > 0 && regions[i - 1].kind == RegionKind::list_item;
    const bool named = line.words.size() > 1 && line.words.size() <= kMostWords &&
                       std::isupper(uint8_t(words[size_t(line.words[1])].text[0]));
    const bool ends_open = std::isalpha(uint8_t(words[size_t(line.words.back())].text.back()));
    if (line.rough_size && std::isupper(uint8_t(number[0])) && number.ends_with('.') &&
        above_text && !among_others && named && ends_open)
      regions[i].kind = RegionKind::section_header;
  }
  for (const size_t i : find_names(lines, first, words))
    if (regions[i].kind == RegionKind::list_item) regions[i].kind = RegionKind::text;
  settle_series(regions, lines, first, rows, words);
}

namespace {

/// Whether the words of a line that have four letters and more begin with capitals, two words at
/// least, and a letter or question mark ends it.
bool is_titled(const TextLine& line, std::span<const Word> words) {
  constexpr size_t kMostWords = 9, kLong = 4;
  if (line.words.size() < 2 || line.words.size() > kMostWords) return false;
  const char last = words[size_t(line.words.back())].text.back();
  return (std::isalpha(uint8_t(last)) || last == '?') &&
         std::isupper(uint8_t(words[size_t(line.words.front())].text[0])) &&
         std::all_of(line.words.begin(), line.words.end(), [&](int w) {
           const std::string& word = words[size_t(w)].text;
           const bool letters = std::all_of(word.begin(), word.end() - 1,
                                            [](char c) { return std::isalpha(uint8_t(c)); });
           return letters && (std::isupper(uint8_t(word[0])) || word.size() < kLong);
         });
}

}  // namespace

void settle_titled_lines(std::vector<Region>& regions, const std::vector<TextLine>& lines,
                         const std::vector<int>& first, const std::vector<size_t>& rows,
                         std::span<const Word> words) {
  constexpr size_t kLeast = 2, kLongRow = 50;  // letters
  const auto is_text = [&](size_t i) {
    return regions[i].kind == RegionKind::text && first[i] >= 0 &&
           !lines[size_t(first[i])].words.empty() && lines[size_t(first[i])].quarter_turns == 0;
  };
  // Prose that ends above the line, or begins below it.
  const auto prose = [&](size_t i) {
    return is_text(i) && rows[i] > 1 && lines[size_t(first[i])].chars >= kLongRow;
  };
  const auto alone = [&](size_t i) {
    const TextLine& line = lines[size_t(first[i])];
    const bool below_text = i > 0 && (prose(i - 1) || regions[i - 1].kind == RegionKind::list_item);
    return is_text(i) && rows[i] == 1 && below_text && i + 1 < regions.size() && prose(i + 1) &&
           std::abs(line.box.x0 - lines[size_t(first[i + 1])].box.x0) < line.size_px &&
           regions[i].box.y0 - regions[i - 1].box.y1 > 0.4 * line.size_px &&
           regions[i + 1].box.y0 >= regions[i].box.y1;
  };
  std::vector<size_t> found, single;
  for (size_t i = 0; i < regions.size(); ++i) {
    if (!is_text(i) || !alone(i)) continue;
    const TextLine& line = lines[size_t(first[i])];
    const std::string& word = words[size_t(line.words.front())].text;
    if (is_titled(line, words))
      found.push_back(i);
    else if (line.words.size() == 1 && std::isupper(uint8_t(word[0])) &&
             std::isalpha(uint8_t(word.back())))
      single.push_back(i);  // "Exceptions"
  }
  if (found.size() < kLeast) return;
  found.insert(found.end(), single.begin(), single.end());
  for (const size_t i : found) regions[i].kind = RegionKind::section_header;
}

}  // namespace docspec
