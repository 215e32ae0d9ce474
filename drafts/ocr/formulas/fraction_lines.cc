#include "drafts/ocr/formulas/fraction_lines.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "core/text/unicode.h"
#include "drafts/latex/math_letters.h"

namespace docspec {
namespace {

constexpr double kLevel = 0.7;  // ems from one line to what stands on it

int middle_x(const Box& box) {
  return (box.x0 + box.x1) / 2;
}
int middle_y(const Box& box) {
  return (box.y0 + box.y1) / 2;
}

/// The ink on one side of a bar: pieces within its width, the first of them close to it, and those
/// in the rows of these.
Box ink_beside(const Box& bar, bool above, std::span<const Box> pieces, double em) {
  constexpr double kClose = 0.5, kAside = 0.15, kHighest = 1.7;  // ems
  std::vector<Box> own;
  for (const Box& piece : pieces) {
    const bool within = middle_x(piece) > bar.x0 - kAside * em &&
                        middle_x(piece) < bar.x1 + kAside * em &&
                        piece.width() < bar.width() + 2 * kAside * em;
    const int away = above ? bar.y0 - piece.y1 : piece.y0 - bar.y1;
    if (within && away >= 0 && away < kHighest * em && piece.height() < kHighest * em)
      own.push_back(piece);
  }
  const auto away = [&](const Box& piece) { return above ? bar.y0 - piece.y1 : piece.y0 - bar.y1; };
  std::sort(own.begin(), own.end(), [&](const Box& a, const Box& b) { return away(a) < away(b); });
  Box ink;
  for (const Box& piece : own) {
    const bool joins =
        ink.empty() ? away(piece) < kClose * em : piece.y0 < ink.y1 && ink.y0 < piece.y1;
    if (!joins && !ink.empty()) break;
    if (joins) ink = unite(ink, piece);
  }
  return ink.height() < kHighest * em ? ink : Box{};
}

}  // namespace

bool is_flat(const Box& ink, double em) {
  constexpr double kThick = 0.16;  // ems
  return ink.height() <= std::max(4.0, kThick * em);
}

std::vector<SeenFraction> find_fractions(std::span<const Box> bars, std::span<const Box> pieces,
                                         double em) {
  constexpr double kLow = 0.3, kOff = 0.3, kLeastHeight = 1.2, kOver = 0.25;
  std::vector<SeenFraction> fractions;
  for (const Box& bar : bars) {
    if (!is_flat(bar, em) || bar.width() < 3 * bar.height()) continue;
    SeenFraction found{ink_beside(bar, true, pieces, em), bar, ink_beside(bar, false, pieces, em)};
    const auto is_part = [&](const Box& ink) {
      return ink.height() > kLow * em &&
             std::abs(middle_x(ink) - middle_x(bar)) < kOff * em + 0.2 * bar.width() &&
             ink.width() < bar.width() + kOff * em;
    };
    if (!is_part(found.above) || !is_part(found.below) || found.box().height() <= kLeastHeight * em)
      continue;
    // A sign may touch the bar.
    const Box parts = unite(found.above, found.below);
    found.bar.x0 = std::max(bar.x0, parts.x0 - int(kOver * em));
    found.bar.x1 = std::min(bar.x1, parts.x1 + int(kOver * em));
    fractions.push_back(found);
  }
  return fractions;
}

std::vector<PlacedLetter> placed_letters(std::span<const Word> words) {
  std::vector<PlacedLetter> out;
  for (size_t w = 0; w < words.size(); ++w) {
    const Word& word = words[w];
    if (word.quarter_turns != 0) continue;
    const size_t count = count_code_points(word.text);
    const int half = std::max(1, int(word.box.width() / (2 * std::max<size_t>(1, count))));
    for (size_t at = 0, k = 0; at < word.text.size(); ++k) {
      const uint32_t c = next_code_point(word.text, at);
      const int x = word.places.size() == count
                        ? word.places[k]
                        : word.box.x0 + int(word.box.width() * (2 * k + 1) / (2 * count));
      out.push_back({c, w, {x - half, word.box.y0, x + half, word.box.y1}});
    }
  }
  return out;
}

bool PlacedFormula::holds(const PlacedLetter& letter) const {
  const int x = middle_x(letter.box), y = middle_y(letter.box);
  return x >= box.x0 && x <= box.x1 && y >= box.y0 && y <= box.y1;
}

FractionLines::FractionLines(std::span<const Word> words, std::span<const Box> bars,
                             std::span<const Box> pieces, double em)
    : words_(words), bars_(bars), pieces_(pieces), em_(em), letters_(placed_letters(words)) {
  constexpr std::ptrdiff_t kFew = 10;  // one letter of so many
  const auto cjk = std::count_if(letters_.begin(), letters_.end(),
                                 [](const PlacedLetter& each) { return is_cjk(each.letter); });
  chinese_ = cjk * kFew > std::ptrdiff_t(letters_.size());
}

std::vector<FractionRun> FractionLines::find() const {
  std::vector<FractionRun> runs;
  for (const SeenFraction& fraction : find_fractions(bars_, pieces_, em_)) {
    std::optional<PlacedFormula> formula = formula_of(fraction);
    if (!formula) continue;
    const auto home = std::find_if(runs.begin(), runs.end(), [&](const FractionRun& run) {
      const Box& other = run.whole.box;
      return std::abs(run.fractions.front().middle() - fraction.middle()) < kLevel * em_ &&
             other.x0 < formula->box.x1 && formula->box.x0 < other.x1;
    });
    FractionRun& run =
        home == runs.end() ? runs.emplace_back(FractionRun{*formula, {}, {}}) : *home;
    run.whole.box = unite(run.whole.box, formula->box);
    run.fractions.push_back(fraction);
    formula->box = fraction.box();
    run.alone.push_back(std::move(*formula));
  }
  return runs;
}

std::string FractionLines::text_beside(const FractionRun& run) const {
  std::string text;
  for (const PlacedLetter& each : letters_)
    if (run.whole.holds(each) && std::none_of(run.alone.begin(), run.alone.end(),
                                              [&](const auto& own) { return own.holds(each); }))
      append_utf8(text, each.letter);
  return text;
}

std::string FractionLines::sign_before(const SeenFraction& fraction) const {
  constexpr double kNear = 0.9, kLevelBar = 0.3, kShort = 0.25, kLong = 1, kThick = 0.16;  // ems
  const Box all = fraction.box();
  std::vector<Box> strokes;
  for (const Box& piece : pieces_)
    if (piece.x1 <= all.x0 + 2 && piece.x1 > all.x0 - kNear * em_ &&
        std::abs(middle_y(piece) - fraction.middle()) < kLevelBar * em_ &&
        piece.width() > kShort * em_ && piece.width() < kLong * em_ &&
        piece.height() < std::max(4.0, kThick * em_))
      strokes.push_back(piece);
  const auto is_read = [&](const PlacedLetter& letter) {
    const int x = middle_x(letter.box);
    const double over = is_one_of(letter.letter, U"-—–−=一二") ? kNear / 2 * em_ : 0;
    return std::abs(middle_y(letter.box) - fraction.middle()) < kLevel * em_ &&
           x >= strokes[0].x0 - over && x <= strokes[0].x1 + over;
  };
  if (strokes.empty() || strokes.size() > 2 ||
      std::any_of(letters_.begin(), letters_.end(), is_read))
    return "";
  const bool stacked =
      strokes.size() == 2 && strokes[0].x0 < strokes[1].x1 && strokes[1].x0 < strokes[0].x1;
  return strokes.size() == 1 ? "-" : stacked ? "=" : "";
}

bool FractionLines::is_mark(size_t k) const {
  return is_one_of(letters_[k].letter, U"，。；：、,;:？?！!“”\"");
}

bool FractionLines::is_text(size_t k) const {
  const uint32_t c = letters_[k].letter;
  return !is_mark(k) && (is_cjk(c) || is_one_of(c, U"∵∴") || is_label(k) ||
                         is_prose(words_[letters_[k].word].text, chinese_ ? 3 : 2));
}

bool FractionLines::is_prose(std::string_view word, size_t letters) {
  while (!word.empty() && std::string_view("().,;:").find(word.back()) != word.npos)
    word.remove_suffix(1);
  if (!word.empty() && word[0] == '(') word.remove_prefix(1);
  const auto letter = [](char c) { return is_ascii_letter(uint8_t(c)); };
  const auto small = [](char c) { return c >= 'a' && c <= 'z'; };
  return word.size() >= letters && !is_function_name(word) &&
         std::all_of(word.begin(), word.end(), letter) &&
         std::any_of(word.begin(), word.end(), small);
}

bool FractionLines::is_label(size_t k) const {
  const Word& word = words_[letters_[k].word];
  size_t first = k;
  while (first > 0 && letters_[first - 1].word == letters_[k].word) --first;
  return k - first < 3 && opens_text(word.text) && k - first <= word.text.find_first_of(".");
}

bool FractionLines::is_parted(const SeenFraction& fraction, size_t host) const {
  const PlacedFormula all{fraction.box(), 0, false, ""};
  return std::any_of(letters_.begin(), letters_.end(), [&](const PlacedLetter& each) {
    return all.holds(each) && words_[each.word].line != words_[host].line;
  });
}

bool FractionLines::cuts_text(const SeenFraction& fraction, size_t host) const {
  const PlacedFormula all{fraction.box(), 0, false, ""};
  for (const PlacedLetter& each : letters_) {
    const int line = words_[each.word].line;
    if (!all.holds(each) || line == words_[host].line) continue;
    for (size_t k = 0; k < letters_.size(); ++k)
      if (words_[letters_[k].word].line == line && is_text(k) &&
          std::abs(middle_y(letters_[k].box) - fraction.middle()) > kLevel * em_)
        return true;
  }
  return false;
}

std::optional<PlacedFormula> FractionLines::formula_of(const SeenFraction& fraction) const {
  constexpr double kGap = 1.0, kBeyond = 0.9, kTall = 2.6;  // ems
  constexpr int kFar = 1 << 28;
  PlacedFormula run{fraction.box(), 0, false, ""};
  const int line_y = fraction.middle();
  const auto level = [&](const PlacedLetter& each) {
    return std::abs(middle_y(each.box) - line_y) <= kLevel * em_;
  };
  // The ends on both sides of what is no formula, as far as it is level with the bar; and of text.
  int left = -kFar, right = kFar, text_left = -kFar, text_right = kFar;
  double nearest = kFar;
  for (size_t k = 0; k < letters_.size(); ++k) {
    const Box& own = letters_[k].box;
    if (!level(letters_[k])) continue;
    const bool before = middle_x(own) < fraction.bar.x0;
    const bool after = !before && middle_x(own) > fraction.bar.x1;
    const double away = before ? fraction.bar.x0 - own.x1 : own.x0 - fraction.bar.x1;
    const bool host = std::abs(middle_y(own) - line_y) <= (chinese_ ? 0.6 : 0.35) * em_;
    if ((before || after) && host && away < nearest)
      nearest = away, run.host = letters_[k].word, run.after_host = before;
    const bool mark = is_mark(k), text = is_text(k) || (mark && chinese_);
    if (before && (mark || text)) left = std::max(left, own.x1);
    if (after && (mark || text)) right = std::min(right, own.x0);
    if (before && text) text_left = std::max(text_left, own.x1);
    if (after && text) text_right = std::min(text_right, own.x0);
  }
  const double near = (chinese_ ? 2 : 1) * em_;  // columns in Latin letters stand closer
  if (nearest > near || cuts_text(fraction, run.host) ||
      (!chinese_ && !is_parted(fraction, run.host)))
    return std::nullopt;
  for (bool grown = true; grown;) {
    grown = false;
    for (const Box& piece : pieces_) {
      const int x = middle_x(piece);
      const bool beside =
          std::abs(middle_y(piece) - line_y) < kBeyond * em_ && piece.height() < kTall * em_;
      const bool inside = piece.x0 >= run.box.x0 && piece.x1 <= run.box.x1 &&
                          piece.y0 >= run.box.y0 && piece.y1 <= run.box.y1;
      const double gap = std::max(run.box.x0 - piece.x1, piece.x0 - run.box.x1);
      if (!beside || inside || x <= left || x >= right || gap > kGap * em_) continue;
      run.box = unite(run.box, piece);
      grown = true;
    }
  }
  run.box.x0 = std::max(run.box.x0, left), run.box.x1 = std::min(run.box.x1, right);
  // A formula that stands alone may be level with the text of another column.
  if (std::min(run.box.x0 - text_left, text_right - run.box.x1) > near) return std::nullopt;
  return run;
}

}  // namespace docspec
