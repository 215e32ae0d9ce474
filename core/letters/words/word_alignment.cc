#include "core/letters/words/word_alignment.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <unordered_map>

#include "core/text/unicode.h"

namespace docspec {
namespace {

constexpr double kLeftOut = 0.8;      ///< a word of one side alone
constexpr double kOutside = 0.05;     ///< a page's word around the block, or next to a formula
constexpr double kFromOutside = 0.1;  ///< a word that stands around the block
constexpr double kUnlike = 1.3;       ///< two words without a common letter, in each other's place
constexpr double kJoin = 0.05;        ///< what a join costs besides
constexpr double kLeastAlike = 0.4;   ///< largest distance at which words are joined
constexpr size_t kMostPairs = 1'000'000;

uint32_t folded(uint32_t c) {
  switch (c) {
    case 0x2018:
    case 0x2019:
    case 0x201A:
    case 0x201B:
    case 0x2032:
    case '`':
    case 0xB4:
      return '\'';
    case 0x201C:
    case 0x201D:
    case 0x201E:
    case 0x201F:
    case 0x2033:
    case 0xAB:
    case 0xBB:
      return '"';
    case 0x2010:
    case 0x2011:
    case 0x2012:
    case 0x2013:
    case 0x2014:
    case 0x2015:
    case 0x2212:
      return '-';
    case 0xD7:
      return 'x';
    case 0xB7:
    case 0x2219:
    case 0x22C5:
      return 0x2022;
    default:
      return c;
  }
}

/// One stretch of both sides, aligned by dynamic programming.
class Stretch {
 public:
  Stretch(std::span<const AlignedWord> model, std::span<const AlignedWord> page, size_t a0,
          size_t b0)
      : a_(model), b_(page), a0_(a0), b0_(b0), width_(page.size() + 1) {}

  void append_to(std::vector<WordMatch>& out) {
    if (a_.size() * b_.size() > kMostPairs) return leave(out);
    cost_.assign((a_.size() + 1) * width_, std::numeric_limits<float>::infinity());
    step_.assign(cost_.size(), {});
    cost_[0] = 0;
    for (size_t i = 0; i <= a_.size(); ++i)
      for (size_t j = 0; j <= b_.size(); ++j) go_on(i, j);
    std::vector<WordMatch> matches;
    for (size_t i = a_.size(), j = b_.size(); i + j > 0;) {
      const Step& step = step_[i * width_ + j];
      matches.push_back({a0_ + i - step.a, a0_ + i, b0_ + j - step.b, b0_ + j, step.distance});
      i -= step.a;
      j -= step.b;
    }
    out.insert(out.end(), matches.rbegin(), matches.rend());
  }

 private:
  struct Step {
    uint8_t a = 0, b = 0;  ///< words of either side
    float distance = 1;
  };

  /// Too long to compare: each word alone.
  void leave(std::vector<WordMatch>& out) const {
    for (size_t i = 0; i < a_.size(); ++i) out.push_back({a0_ + i, a0_ + i + 1, b0_, b0_, 1});
    for (size_t j = 0; j < b_.size(); ++j)
      out.push_back({a0_ + a_.size(), a0_ + a_.size(), b0_ + j, b0_ + j + 1, 1});
  }

  void offer(size_t i, size_t j, Step step, double cost) {
    const size_t to = (i + step.a) * width_ + j + step.b;
    const float total = cost_[i * width_ + j] + float(cost);
    if (total >= cost_[to]) return;
    cost_[to] = total;
    step_[to] = step;
  }

  /// Whether joining two may come near the whole: spares most of the work. (Nearer than one of them
  /// alone, or a word too many would be taken for a piece.)
  static bool may_join(const std::u32string& whole, const std::u32string& first,
                       const std::u32string& second) {
    const size_t letters = first.size() + second.size();
    return !whole.empty() && !first.empty() && whole.front() == first.front() &&
           2 * letters < 3 * whole.size() + 3 && 2 * whole.size() < 3 * letters;
  }

  /// Whether two words of the page are two, rather than parts of one over the end of a line or
  /// pieces of a script that has no blanks.
  static bool blank_between(const AlignedWord& left, const AlignedWord& right) {
    constexpr char32_t kAlphabets = 0x590;  // Latin, Greek, Cyrillic, Armenian
    return !left.line_end && left.key.back() < kAlphabets && right.key.front() < kAlphabets;
  }

  bool at_formula(size_t i) const {
    return (i > 0 && a_[i - 1].formula) || (i < a_.size() && a_[i].formula);
  }

  void go_on(size_t i, size_t j) {
    const bool more_a = i < a_.size(), more_b = j < b_.size();
    if (more_a) offer(i, j, {1, 0, 1}, a_[i].formula || a_[i].leader ? 0 : kLeftOut);
    if (more_b) offer(i, j, {0, 1, 1}, b_[j].outside || at_formula(i) ? kOutside : kLeftOut);
    if (!more_a || !more_b || a_[i].formula) return;
    const double one = letter_distance(a_[i].key, b_[j].key);
    offer(i, j, {1, 1, float(one)}, kUnlike * one + (b_[j].outside ? kFromOutside : 0));
    if (one == 0) return;
    const bool leaves = j + 1 < b_.size() && b_[j + 1].outside && !b_[j].outside;
    if (j + 1 < b_.size() && !leaves && may_join(a_[i].key, b_[j].key, b_[j + 1].key)) {
      const double two = letter_distance(a_[i].key, joined(b_[j], b_[j + 1]));
      const double kept = letter_distance(a_[i].key, b_[j].key + b_[j + 1].key);
      const double parts = std::min(one, letter_distance(a_[i].key, b_[j + 1].key));
      const double best = std::min(two, kept) < parts ? std::min(two, kept) : 1;
      // Even where the letters are the same, the page has a blank.
      const double shown = blank_between(b_[j], b_[j + 1]) ? std::max(best, 0.01) : best;
      if (best < kLeastAlike) offer(i, j, {1, 2, float(shown)}, kUnlike * best + kJoin);
    }
    if (i + 1 < a_.size() && !a_[i + 1].formula && may_join(b_[j].key, a_[i].key, a_[i + 1].key)) {
      const double both = letter_distance(a_[i].key + a_[i + 1].key, b_[j].key);
      const double parts = std::min(one, letter_distance(a_[i + 1].key, b_[j].key));
      const double two = both < parts ? both : 1;
      // Even where the letters are the same, the page has one word.
      if (two < kLeastAlike) offer(i, j, {2, 1, float(std::max(two, 0.01))}, kUnlike * two + kJoin);
    }
  }

  std::span<const AlignedWord> a_, b_;
  size_t a0_, b0_, width_;
  std::vector<float> cost_;
  std::vector<Step> step_;
};

struct Anchor {
  size_t a, b;
};

/// Words that stand once on either side, next to another equal one, the longest row of them that is
/// in order on both.
std::vector<Anchor> anchors(std::span<const AlignedWord> model, std::span<const AlignedWord> page) {
  struct Seen {
    size_t a = 0, b = 0, in_model = 0, in_page = 0;
  };
  std::unordered_map<std::u32string_view, Seen> seen;
  for (size_t i = 0; i < model.size(); ++i) {
    if (model[i].formula || model[i].key.size() < 2) continue;
    Seen& word = seen[model[i].key];
    word.a = i;
    ++word.in_model;
  }
  for (size_t j = 0; j < page.size(); ++j)
    if (const auto it = seen.find(page[j].key); it != seen.end()) {
      it->second.b = j;
      ++it->second.in_page;
    }
  const auto equal = [&](size_t a, size_t b) {
    return a < model.size() && b < page.size() && model[a].key == page[b].key;
  };
  std::vector<Anchor> unique;
  for (const auto& [key, word] : seen)
    if (word.in_model == 1 && word.in_page == 1 && !page[word.b].outside &&
        (equal(word.a + 1, word.b + 1) || equal(word.a - 1, word.b - 1)))
      unique.push_back({word.a, word.b});
  std::sort(unique.begin(), unique.end(), [](auto& x, auto& y) { return x.a < y.a; });
  // Longest increasing subsequence of b.
  std::vector<size_t> ends, before(unique.size(), SIZE_MAX);
  for (size_t k = 0; k < unique.size(); ++k) {
    const auto at = std::lower_bound(ends.begin(), ends.end(), k,
                                     [&](size_t x, size_t y) { return unique[x].b < unique[y].b; });
    if (at != ends.begin()) before[k] = *(at - 1);
    if (at == ends.end())
      ends.push_back(k);
    else
      *at = k;
  }
  std::vector<Anchor> row;
  if (!ends.empty())
    for (size_t k = ends.back(); k != SIZE_MAX; k = before[k]) row.push_back(unique[k]);
  std::reverse(row.begin(), row.end());
  return row;
}

}  // namespace

std::u32string fold(std::string_view letters) {
  const std::string plain = normalize_unicode(repair_utf8(letters), NormalForm::nfkc);
  std::u32string out;
  for (size_t at = 0; at < plain.size();) {
    const uint32_t c = next_code_point(plain, at);
    const bool nothing = c == 0xAD || (c >= 0x200B && c <= 0x200F) || c == 0x2060 || c == 0xFEFF;
    if (!nothing) out += char32_t(folded(c));
  }
  return out;
}

double letter_distance(std::u32string_view a, std::u32string_view b) {
  if (a == b) return 0;
  if (a.size() > b.size()) std::swap(a, b);
  if (a.empty()) return 1;
  const double longer = double(b.size());
  if (2 * a.size() < b.size()) return 1;  // unlike enough to save the work
  std::vector<uint32_t> row(a.size() + 1);
  for (size_t i = 0; i < row.size(); ++i) row[i] = uint32_t(i);
  for (size_t j = 0; j < b.size(); ++j) {
    uint32_t diagonal = row[0]++;
    for (size_t i = 0; i < a.size(); ++i) {
      const uint32_t above = row[i + 1];
      row[i + 1] = std::min({above + 1, row[i] + 1, diagonal + (a[i] != b[j])});
      diagonal = above;
    }
  }
  return row.back() / longer;
}

std::u32string joined(const AlignedWord& first, const AlignedWord& second) {
  if (first.line_end && first.key.size() > 1 && first.key.back() == U'-')
    return first.key.substr(0, first.key.size() - 1) + second.key;
  return first.key + second.key;
}

std::vector<WordMatch> align_words(std::span<const AlignedWord> model,
                                   std::span<const AlignedWord> page) {
  std::vector<WordMatch> out;
  size_t a = 0, b = 0;
  const auto up_to = [&](size_t a1, size_t b1) {
    Stretch(model.subspan(a, a1 - a), page.subspan(b, b1 - b), a, b).append_to(out);
  };
  for (const Anchor& anchor : anchors(model, page)) {
    up_to(anchor.a, anchor.b);
    out.push_back({anchor.a, anchor.a + 1, anchor.b, anchor.b + 1, 0});
    a = anchor.a + 1;
    b = anchor.b + 1;
  }
  up_to(model.size(), page.size());
  return out;
}

}  // namespace docspec
