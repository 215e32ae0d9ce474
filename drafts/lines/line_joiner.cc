#include "drafts/lines/line_joiner.h"

#include <algorithm>
#include <cctype>
#include <utility>
#include <vector>

#include "core/text/unicode.h"
#include "drafts/lines/font_style.h"

namespace docspec {
namespace {

bool ends_with_hyphen(std::string_view text) {
  return text.ends_with("-") || text.ends_with("\u2010") || text.ends_with("\u2011") ||
         text.ends_with("\u00AD");
}

std::string_view without_hyphen(std::string_view text) {
  const bool one = text.ends_with("-") || text.ends_with("=");
  text.remove_suffix(one ? 1 : text.ends_with("\u00AD") ? 2 : 3);
  return text;
}

/// Whether a word ends in a long dash that stands close to it, as in "737\u2013" "9".
bool ends_with_close_dash(std::string_view word) {
  return word.size() > 3 && (word.ends_with("\u2013") || word.ends_with("\u2014")) &&
         std::isalnum(uint8_t(word[word.size() - 4]));
}

/// "Table 3-" "5.", "2003-" "2005".
bool parts_numbers(std::string_view last, std::string_view next) {
  return last.size() > 1 && last.ends_with('-') && std::isdigit(uint8_t(last[last.size() - 2])) &&
         !next.empty() && std::isdigit(uint8_t(next[0]));
}

bool is_letter_byte(char c) {
  return std::isalpha(uint8_t(c)) || uint8_t(c) >= 0x80;
}

/// Typewriters and old print part words with "=": "Vicaria=" "to".
bool is_typed_hyphen(std::string_view last, std::string_view next) {
  return last.size() > 2 && last.ends_with('=') && is_letter_byte(last[last.size() - 3]) &&
         is_letter_byte(last[last.size() - 2]) && !next.empty() && std::islower(uint8_t(next[0]));
}

/// Whether `c` after a hyphen continues the word: a small letter, or one outside ASCII.
bool continues_word(char c) {
  return std::islower(uint8_t(c)) || uint8_t(c) >= 0x80;
}

void append(MarkedText& text, const MarkedText& line, std::string_view between) {
  text.text += between;
  const size_t from = text.text.size();
  text.text += line.text;
  for (TextMark mark : line.marks) {
    mark.from += from;
    mark.to += from;
    add_mark(text, std::move(mark));
  }
}

/// Whether `last`, which ends a line, is an address or the name of a machine or file in code that
/// goes on with `next`: it breaks after its signs, without a blank.
bool address_goes_on(const std::string& last, const std::string& next, bool code) {
  if ((last.ends_with("http:") || last.ends_with("https:")) && next.starts_with("//")) return true;
  const size_t start = std::min(last.find("://"), last.find("www."));
  const bool address = start != last.npos;
  if (next.empty() || last.empty() || (!address && !code)) return false;
  const char end = last.back(), c = next.front();
  const bool name = std::islower(uint8_t(c)) || std::isdigit(uint8_t(c)) ||
                    (address && end != '.' && std::isupper(uint8_t(c)));
  if (!address)  // "mirror.example." "org.uk"; "edit a.c." "make" is the end of a sentence
    return end == '.' && name && last.find('.') + 1 < last.size() &&
           next.find('.') + 1 < next.size();
  return (std::string_view("/._-=&?#%~").find(end) != std::string_view::npos && name) ||
         (std::string_view("/?#&=%").find(c) != std::string_view::npos && next.size() > 1);
}

/// Whether a hyphen between the parts is one of three: "end-" "to-end", "state-of-" "the-art".
bool is_of_three(std::string_view left, std::string_view right) {
  static constexpr std::string_view kBetween[] = {"to",  "of", "the", "in", "by",
                                                  "and", "on", "up",  "for"};
  const auto is_between = [](std::string_view part) {
    return std::find(std::begin(kBetween), std::end(kBetween), part) != std::end(kBetween);
  };
  const size_t in_left = left.rfind('-'), in_right = right.find('-');
  return (in_right != right.npos && is_between(right.substr(0, in_right))) ||
         (in_left != left.npos && is_between(left.substr(in_left + 1)));
}

/// Whether a hyphen parts a first word that hardly begins a longer one: "self-" "attention", but
/// not "self-" "ish". The few words that it does begin are told by how they go on.
bool opens_compound(std::string_view left, std::string_view right) {
  struct Opening {
    std::string_view word;
    std::vector<std::string_view> ends;  // after which the hyphen is none
  };
  static const Opening kOpenings[] = {
      {"two", {"some"}},
      {"three", {"some"}},
      {"self", {"ish", "less", "same"}},
      {"worst", {}},
      {"best", {"ow"}},
      {"large", {}},
      {"small", {"er", "est", "pox"}},
      {"high", {"light", "er", "est", "ly", "way", "land", "ness"}},
      {"low", {"er", "est", "land", "ly"}},
      {"long", {"er", "est", "ing", "it", "ev"}},
      {"short", {"er", "est", "en", "age", "com", "ly", "hand", "cut"}},
      {"real", {"it", "ly", "is", "iz", "m", "loc"}},
      {"well", {"ness", "being"}},
      {"full", {"er", "est", "ness", "y"}},
  };
  const auto opening = std::find_if(std::begin(kOpenings), std::end(kOpenings),
                                    [&](const Opening& o) { return o.word == left; });
  return opening != std::end(kOpenings) &&
         std::none_of(opening->ends.begin(), opening->ends.end(),
                      [&](std::string_view end) { return right.starts_with(end); });
}

/// "model-" "based", "task-" "specific": words that make compounds with whole words before them.
bool closes_compound(std::string_view left, std::string_view right) {
  static const std::unordered_set<std::string_view> kClosings = {
      "based",   "purpose",  "driven",      "specific",    "level",     "oriented",
      "aware",   "sized",    "dimensional", "agnostic",    "efficient", "class",
      "related", "friendly", "dependent",   "independent", "intensive", "consuming",
      "size",    "grained",  "collected",   "threaded",    "tolerant",  "preserving",
      "shaped",  "valued",   "generated",   "sensitive",   "optimal",   "defined"};
  static const std::unordered_set<std::string_view> kPrefixes = {
      "non",   "multi", "inter",   "over",  "under", "semi",  "mis", "sub",
      "super", "micro", "counter", "trans", "extra", "intra", "con", "out",
      "pre",   "post",  "hyper",   "photo", "down",  "cap"};
  constexpr size_t kShortest = 3;
  return left.size() >= kShortest && kClosings.contains(right) && !kPrefixes.contains(left);
}

/// A word in capitals, as names in small ones are written: more than one letter.
bool in_capitals(std::string_view word) {
  size_t letters = 0;
  for (const char c : word) {
    if (std::islower(uint8_t(c))) return false;
    letters += std::isupper(uint8_t(c)) != 0;
  }
  return letters > 1;
}

/// The letters of a word in small ones, and its hyphens as those of a keyboard.
std::string bare(std::string_view word) {
  std::string out;
  for (size_t i = 0; i < word.size(); ++i) {
    const std::string_view sign = word.substr(i, 3);
    if (sign == "\u2010" || sign == "\u2011") {
      out += '-';
      i += 2;
    } else if (word[i] == '-' || is_letter_byte(word[i])) {
      out += char(std::tolower(uint8_t(word[i])));
    }
  }
  return out;
}

/// The words that hyphens join, without empty ones: "entity", "key" and "values".
std::vector<std::string> parts_of(std::string_view compound) {
  std::vector<std::string> parts;
  for (size_t from = 0, to = 0; to != compound.npos; from = to + 1) {
    to = compound.find('-', from);
    if (const auto part = compound.substr(from, to - from); !part.empty()) parts.emplace_back(part);
  }
  return parts;
}

bool is_and_or_or(std::string_view word) {
  return word == "and" || word == "or" || word == "und" || word == "oder";
}

/// Whether the last of the words ends a list of words that share their second half, as "heavy-"
/// does in "light- and heavy-".
bool ends_shared_half(std::string_view text) {
  std::string_view words[3];  // from the last
  for (std::string_view& word : words) {
    const size_t space = text.rfind(' ');
    word = text.substr(space == text.npos ? 0 : space + 1);
    text = text.substr(0, space == text.npos ? 0 : space);
  }
  return (is_and_or_or(words[1]) || words[1] == "to") && ends_with_hyphen(words[2]) &&
         without_hyphen(words[2]).size() > 1;
}

/// Whether the hyphen of `last` follows a number or a formula, which no hyphen parts: "25-"
/// "letter".
bool follows_number(std::string_view last, std::string_view next) {
  if (!ends_with_hyphen(last) || last.ends_with("\u00AD")) return false;
  const std::string_view before = without_hyphen(last);
  return !before.empty() && (std::isdigit(uint8_t(before.back())) || before.back() == '$') &&
         std::isalpha(uint8_t(next[0]));
}

}  // namespace

LineJoiner::LineJoiner(std::span<const Word> page) {
  scanned_ = std::all_of(page.begin(), page.end(),
                         [](const Word& word) { return is_of_ocr(word.font) && !word.formula; });
  for (const Word& word : page) add_word(bare(word.text));
}

void LineJoiner::add_word(const std::string& word) {
  const std::vector<std::string> parts = parts_of(word);
  if (word.ends_with('-') || parts.size() < 2) {  // the last part may be a piece
    ++words_[word];
    return;
  }
  hyphenated_.insert(word);
  ++words_[parts.back()];  // the first may be no word: "non-linear", "Net-D"
  for (size_t i = 1; i < parts.size(); ++i) hyphenated_.insert(parts[i - 1] + "-" + parts[i]);
}

void LineJoiner::add(MarkedText& text, const MarkedText& line) const {
  if (line.text.empty()) return;
  const size_t space = text.text.rfind(' ');
  const std::string last = text.text.substr(space == text.text.npos ? 0 : space + 1);
  const std::string next = line.text.substr(0, line.text.find(' '));
  const auto is_code = [](const TextMark& mark) { return mark.kind == TextMark::Kind::code; };
  const bool code = !text.marks.empty() && is_code(text.marks.back()) &&
                    text.marks.back().to + 1 >= text.text.size() && !line.marks.empty() &&
                    is_code(line.marks.front()) && line.marks.front().from == 0;
  const bool shared = is_and_or_or(next);  // "16-" "and 32-bit", "long-" "or short-term"
  const bool range = next == "to";         // "3-" "to 5-year"
  if (address_goes_on(last, next, code) || parts_numbers(last, next) ||
      (follows_number(last, next) && !shared && !range) ||
      (ends_with_close_dash(last) && std::isalnum(uint8_t(next[0])))) {
    append(text, line, "");
  } else if (text.text.empty() ||
             (is_cjk(last_code_point(text.text)) && is_cjk(first_code_point(line.text)))) {
    append(text, line, "");
  } else if (!(ends_with_hyphen(last) || (scanned_ && is_typed_hyphen(last, next))) ||
             without_hyphen(last).empty() || !is_letter_byte(without_hyphen(last).back())) {
    append(text, line, " ");
  } else if (const std::string left = bare(std::string(without_hyphen(last))), right = bare(next);
             shared && ends_with_hyphen(last) && !words_.contains(left + right)) {
    append(text, line, " ");
  } else if (right.empty() || is_hyphenated(left, right) ||
             (!words_.contains(left + right) &&
              (is_of_three(left, right) || ends_shared_half(text.text) ||
               (!continues_word(next[0]) && !(in_capitals(last) && in_capitals(next))) ||
               opens_compound(left, right) || closes_compound(left, right) ||
               is_compound(left, right)))) {
    // "Figure-" "Caption", "state-of-" "the-art"; but not "Open-" "Replica" where the page has the
    // whole as one word.
    append(text, line, "");
  } else {
    text.text.resize(without_hyphen(text.text).size());
    for (TextMark& mark : text.marks) mark.to = std::min(mark.to, text.text.size());
    append(text, line, "");
  }
}

void LineJoiner::add_below(MarkedText& text, const MarkedText& line) {
  append(text, line, text.text.empty() ? "" : "\n");
}

// Whether the page has the word with its hyphen, or a longer compound with both parts next to each
// other: "key-" "values" where it has "entity-key-values".
bool LineJoiner::is_hyphenated(const std::string& left, const std::string& right) const {
  const std::vector<std::string> lefts = parts_of(left), rights = parts_of(right);
  return hyphenated_.contains(left + "-" + right) ||
         (!lefts.empty() && !rights.empty() &&
          hyphenated_.contains(lefts.back() + "-" + rights.front()));
}

// Whether the page has both parts of a hyphenated word as words, and not the whole:
// "student-" "teacher". Small words begin many others.
bool LineJoiner::is_compound(const std::string& left, const std::string& right) const {
  static const std::unordered_set<std::string> kOpening = {
      "some", "with",  "what",  "where", "when",  "there", "here", "over", "under", "never", "more",
      "can",  "after", "every", "any",   "other", "for",   "not",  "how",  "out",   "may"};
  constexpr size_t kShortest = 3;
  const auto count = [&](const std::string& word) {
    const auto found = words_.find(word);
    return found == words_.end() ? 0 : found->second;
  };
  // The second part is a word of the page by its place at the start of a line.
  return left.size() >= kShortest && right.size() > kShortest && !kOpening.contains(left) &&
         count(left) > 0 && count(right) > 1 && count(left + right) == 0;
}

}  // namespace docspec
