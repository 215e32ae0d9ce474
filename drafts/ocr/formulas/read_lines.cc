#include "drafts/ocr/formulas/read_lines.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "core/letters/word_alignment.h"
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

/// Whether a line is text, which may hold formulas.
bool is_text(std::span<const Word> line) {
  return line.front().line > 0 && line.front().quarter_turns == 0 &&
         !font_style(line.front().font).mono && std::any_of(line.begin(), line.end(), is_prose);
}

Box box_of(std::span<const Word> words) {
  Box box = words.front().box;
  for (const Word& word : words) box = unite(box, word.box);
  return box;
}

/// Roughly how many letters a part is broad.
size_t breadth(const ReadPart& part) {
  if (!part.formula) return count_code_points(part.text);
  size_t signs = 0;
  for (size_t i = 0; i < part.text.size(); ++i) {
    if (part.text[i] == '\\')
      while (i + 1 < part.text.size() && is_ascii_letter(uint8_t(part.text[i + 1]))) ++i;
    signs += std::string_view("{}_^ ").find(part.text[i]) == std::string_view::npos;
  }
  return std::max<size_t>(1, signs);
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
    constexpr double kSure = 0.1;
    bool formula = false;
    std::string letters;
    for (const ReadPart& part : read_.subspan(a0, a1 - a0)) {
      formula |= part.formula;
      letters += part.text;
      if (part.least_margin < kSure) return false;
    }
    return formula && std::all_of(own_.begin() + b0, own_.begin() + b1, [&](const Word& word) {
             return !is_prose(word) || letters.find(longest_word(word.text)) != letters.npos;
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
  std::vector<std::span<const Word>> lines, text;
  for (size_t from = 0; from < words.size();) {
    size_t to = from + 1;
    while (to < words.size() && words[to].line == words[from].line) ++to;
    lines.push_back(std::span<const Word>(words).subspan(from, to - from));
    if (is_text(lines.back())) text.push_back(lines.back());
    from = to;
  }
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
