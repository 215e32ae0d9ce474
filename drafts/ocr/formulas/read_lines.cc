#include "drafts/ocr/formulas/read_lines.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "core/letters/words/word_alignment.h"
#include "core/page/text_size.h"
#include "core/text/unicode.h"
#include "drafts/latex/math_letters.h"
#include "drafts/lines/font_style.h"
#include "drafts/ocr/formulas/mend_latex.h"

namespace docspec {
namespace {

constexpr size_t kProse = 3;  // letters of a word of a language, at least

/// The longest word of a language in a text: Latin letters, the first of which may be a capital.
std::string longest_word(std::string_view text) {
  std::string run, longest;
  for (const char c : text) {
    if (c >= 'a' && c <= 'z')
      run += c;
    else
      run = c >= 'A' && c <= 'Z' ? std::string(1, c) : "";
    if (run.size() > longest.size()) longest = run;
  }
  return longest;
}

bool is_prose(const Word& word) {
  return !word.formula && longest_word(word.text).size() >= kProse;
}

/// Whether a line ends as those of programs do.
bool ends_statement(std::span<const Word> line) {
  const std::string& last = line.back().text;
  return last.ends_with('{') || last.ends_with('}') || last.ends_with(';');
}

/// Whether a line holds a fraction, which is higher than the line.
bool holds_fraction(std::span<const Word> line) {
  return std::any_of(line.begin(), line.end(), [](const Word& word) {
    return word.formula && word.text.find("\\frac") != std::string::npos;
  });
}

/// Whether a line is text, which may hold formulas.
bool is_text(std::span<const Word> line) {
  return !holds_fraction(line) && line.front().line > 0 && line.front().quarter_turns == 0 &&
         !font_style(line.front().font).mono && std::any_of(line.begin(), line.end(), is_prose);
}

Box box_of(std::span<const Word> words) {
  Box box = words.front().box;
  for (const Word& word : words) box = unite(box, word.box);
  return box;
}

/// The letters, digits and signs beyond ASCII of a text, or of LaTeX without its markup.
struct Letters {
  std::string text;  ///< with the names of commands: "\\sin" is "sin"
  size_t count = 0;  ///< a command is one
};

Letters letters_of(std::string_view text) {
  Letters out;
  for (size_t at = 0; at < text.size();) {
    size_t from = at;
    const uint32_t c = next_code_point(text, at);
    if (c == '\\') {
      from = at;
      while (at < text.size() && is_ascii_letter(uint8_t(text[at]))) ++at;
      const std::string_view name = text.substr(from, at - from);
      if (name.starts_with("math") || name == "text" || name == "left" || name == "right") continue;
    } else if (c < 0x80 && !is_ascii_letter(c) && !is_digit(c)) {
      continue;
    }
    out.text += text.substr(from, at - from);
    ++out.count;
  }
  return out;
}

/// Roughly how many letters a part is broad.
size_t breadth(const ReadPart& part) {
  return std::max<size_t>(1, letters_of(part.text).count);
}

/// Whether a formula is a plain number.
bool is_number(const ReadPart& part) {
  return std::all_of(part.text.begin(), part.text.end(),
                     [](char c) { return is_digit(uint8_t(c)) || c == '.' || c == ','; });
}

/// A line on its way from OCR's words to those with formulas.
class MixedLine {
 public:
  MixedLine(std::span<const Word> own, std::span<const ReadPart> read) : own_(own), read_(read) {}

  std::vector<Word> merge() {
    constexpr double kAlike = 0.4;  // share of letters that differ
    std::vector<AlignedWord> model, page;
    for (const ReadPart& part : read_) model.push_back({fold(part.text), part.formula});
    for (const Word& word : own_) page.push_back({fold(word.text)});
    size_t a = 0, b = 0;
    for (const WordMatch& match : align_words(model, page)) {
      const bool alike = match.a1 > match.a0 && match.b1 > match.b0 && !read_[match.a0].formula &&
                         !own_[match.b0].formula &&
                         match.distance <= (at_formula(match.a0, match.a1) ? 0 : kAlike);
      if (!alike) continue;
      take(a, match.a0, b, match.b0);
      out_.insert(out_.end(), own_.begin() + match.b0, own_.begin() + match.b1);
      a = match.a1, b = match.b1;
    }
    take(a, read_.size(), b, own_.size());
    return std::move(out_);
  }

 private:
  /// Whether a formula stands right before or behind parts [a0, a1), without a blank.
  bool at_formula(size_t a0, size_t a1) const {
    return (a0 > 0 && read_[a0 - 1].formula && !read_[a0].after_blank) ||
           (a1 < read_.size() && read_[a1].formula && !read_[a1].after_blank);
  }

  /// Whether parts [a0, a1) may stand in the place of words [b0, b1).
  bool may_replace(size_t a0, size_t a1, size_t b0, size_t b1) const {
    constexpr double kSure = 0.5, kLost = 0.15;  // kLost: share of the letters
    constexpr size_t kMany = 5;                  // letters, of which one may be OCR's invention
    bool formula = false;
    std::string theirs, own;
    for (const ReadPart& part : read_.subspan(a0, a1 - a0)) {
      formula |= part.formula;
      theirs += part.text;
      if (part.least_margin < kSure) return false;
    }
    for (const Word& word : own_.subspan(b0, b1 - b0)) own += word.text;
    const Letters read = letters_of(theirs), seen = letters_of(own);
    const bool number = seen.count > 0 && std::all_of(seen.text.begin(), seen.text.end(),
                                                      [](char c) { return is_digit(uint8_t(c)); });
    const bool lost = double(read.count) + (seen.count >= kMany) < (1 - kLost) * double(seen.count);
    const auto is_read = [&](std::string_view word) {
      return read.text.find(word) != std::string::npos;
    };
    // Letters of which the rules made a formula, and the model none: "(a", "II".
    if (!formula)
      return theirs != own && read.text == seen.text && own.find_first_of("\\_^") == own.npos;
    // Nothing of the formula's own: "nr" may well be a word.
    const bool plain = a1 == a0 + 1 && seen.count > 1 && theirs == own;
    return !lost && !plain && (!number || is_read(seen.text)) &&
           std::all_of(own_.begin() + b0, own_.begin() + b1, [&](const Word& word) {
             return !is_prose(word) || is_read(longest_word(word.text));
           });
  }

  void take(size_t a0, size_t a1, size_t b0, size_t b1) {
    if (!may_replace(a0, a1, b0, b1)) {
      out_.insert(out_.end(), own_.begin() + b0, own_.begin() + b1);
      return;
    }
    const Word& like = own_[b1 > b0 ? b0 : b0 > 0 ? b0 - 1 : 0];
    Box box = b1 > b0 ? box_of(own_.subspan(b0, b1 - b0)) : like.box;
    if (b1 == b0) {  // OCR saw nothing there
      box.x0 = b0 > 0 ? like.box.x1 : like.box.x0;
      box.x1 = b0 < own_.size() ? std::max(box.x0 + 1, own_[b0].box.x0) : box.x0 + 1;
    }
    size_t all = 0, before = 0;
    for (const ReadPart& part : read_.subspan(a0, a1 - a0)) all += breadth(part);
    for (size_t i = a0; i < a1; ++i) {
      const ReadPart& part = read_[i];
      Word word = like;
      const size_t after = before + breadth(part);
      word.box = {box.x0 + int(box.width() * before / all), box.y0,
                  box.x0 + int(box.width() * after / all), box.y1};
      word.formula = part.formula && !is_number(part);
      word.text = word.formula ? "$" + mend_latex(part.text) + "$" : part.text;
      word.places.clear();
      if (i == a0 && !out_.empty()) out_.back().space_after = part.after_blank;
      word.space_after = i + 1 < read_.size() ? read_[i + 1].after_blank : true;
      before = after;
      out_.push_back(std::move(word));
    }
  }

  std::span<const Word> own_;
  std::span<const ReadPart> read_;
  std::vector<Word> out_;
};

}  // namespace

std::vector<Word> with_formulas(std::span<const Word> line, std::span<const ReadPart> read) {
  return MixedLine(line, read).merge();
}

std::vector<Word> read_formulas_of_lines(LazyFormulaReader& reader, const PageImage& image,
                                         std::vector<Word> words) {
  constexpr std::ptrdiff_t kProgram = 3;  // lines
  std::vector<std::span<const Word>> lines, text;
  for (size_t from = 0; from < words.size();) {
    size_t to = from + 1;
    while (to < words.size() && words[to].line == words[from].line) ++to;
    lines.push_back(std::span<const Word>(words).subspan(from, to - from));
    from = to;
  }
  const bool program = std::count_if(lines.begin(), lines.end(), ends_statement) >= kProgram;
  std::copy_if(lines.begin(), lines.end(), std::back_inserter(text), [&](const auto& line) {
    return is_text(line) && !(program && ends_statement(line));
  });
  if (text.empty() || !reader.get()) return words;
  std::vector<Box> boxes;
  for (const auto& line : text) boxes.push_back(box_of(line));
  const Draft all{{}, "", "", 1, words};
  const Draft* const drafts[] = {&all};
  const auto read = reader.get()->read_lines(image, boxes, text_em_px(drafts));
  std::vector<Word> out;
  size_t next = 0;
  for (const auto& line : lines) {
    const bool asked = next < text.size() && text[next].data() == line.data();
    const std::vector<Word> merged =
        asked ? with_formulas(line, read[next++]) : std::vector<Word>(line.begin(), line.end());
    out.insert(out.end(), merged.begin(), merged.end());
  }
  return out;
}

}  // namespace docspec
