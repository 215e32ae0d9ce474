// What a block tells of the words that stand there on the page.
#include <algorithm>

#include "core/letters/block_letters.h"
#include "core/text/unicode.h"

namespace docspec {

void BlockLetters::count_fonts(std::map<std::string, FontCount>& counts) const {
  if (!from_model()) return;
  for (const WordMatch& match : matches_)
    for (size_t b = match.b0; b < match.b1 && match.a1 > match.a0; ++b) {
      FontCount& count = counts[tokens_[b].font];
      ++count.tokens;
      count.equal += match.equal();
    }
}

namespace {

void mark_words(const PageToken& token, std::vector<char>& words) {
  for (const int word : token.words) words[size_t(word)] = 1;
}

}  // namespace

/// Whether the words that stand here on the page are of another text.
bool BlockLetters::mostly_elsewhere() const {
  constexpr size_t kFew = 6;  // words, of which two wrong ones say little
  constexpr double kLeast = 0.4;
  size_t words = 0, equal = 0;
  for (const WordMatch& match : matches_) {
    words += match.a1 - match.a0;
    equal += match.equal() ? match.a1 - match.a0 : 0;
  }
  return words >= kFew && double(equal) < kLeast * double(words);
}

double BlockLetters::shared_words() const {
  size_t shared = 0, all = words_.size();
  for (const PageToken& token : tokens_) all += token.inside;
  for (const WordMatch& match : matches_)
    if (match.a1 > match.a0 && match.b1 > match.b0 && match.distance <= 0.5)
      shared += match.a1 - match.a0 + match.b1 - match.b0;
  return all == 0 ? 1 : std::min(1.0, double(shared) / double(all));
}

/// Whether all of tokens [b0, b1) are apart by what a reader sees as a blank, between letters.
bool BlockLetters::has_gaps(size_t b0, size_t b1) const {
  const auto letter = [](char32_t c) { return is_word(int32_t(c)) && c != U'_'; };
  for (size_t b = b0 + 1; b < b1; ++b) {
    const PageToken &left = tokens_[b - 1], &right = tokens_[b];
    const int gap = right.box.x0 - left.box.x1;
    if (left.line != right.line || 8 * gap < right.box.height() ||
        !letter(left.aligned.key.back()) || !letter(right.aligned.key.front()))
      return false;
  }
  return b1 > b0 + 1;
}

void BlockLetters::claim(std::vector<char>& claimed, bool inside) const {
  for (const WordMatch& match : matches_)
    if (match.a1 > match.a0 && match.distance < 0.5)
      for (size_t b = match.b0; b < match.b1; ++b)
        if (tokens_[b].inside || !inside) mark_words(tokens_[b], claimed);
}

void BlockLetters::drop_moved() {
  constexpr double kSame = 0.34;
  std::vector<std::u32string> alone;  // words that stay, though the page has none in their place
  for (const Difference& difference : differences_)
    if (difference.b0 == difference.b1 && !difference.accepted)
      alone.push_back(fold(difference.model));
  std::erase_if(differences_, [&](const Difference& difference) {
    return difference.a0 == difference.a1 &&
           std::any_of(alone.begin(), alone.end(), [&](const std::u32string& word) {
             return letter_distance(word, fold(difference.page)) <= kSame;
           });
  });
}

void BlockLetters::claim_left_out(std::vector<char>& claimed) const {
  for (const Difference& difference : differences_)
    for (size_t b = difference.b0; b < difference.b1 && difference.a0 == difference.a1; ++b)
      mark_words(tokens_[b], claimed);
}

void BlockLetters::claim_inside(std::vector<char>& claimed) const {
  for (const PageToken& token : tokens_)
    if (token.inside) mark_words(token, claimed);
}

bool BlockLetters::repeats(const std::vector<char>& claimed) const {
  constexpr size_t kFewLetters = 8;  // which may be of another place
  if (!from_model()) return false;
  const auto is_new = [&](const PageToken& token) {
    return std::any_of(token.words.begin(), token.words.end(),
                       [&](int word) { return !claimed[size_t(word)]; });
  };
  for (const PageToken& token : tokens_)
    if (!box_.empty() && token.inside && is_new(token)) return false;
  size_t words = 0, letters = 0;
  for (const WordMatch& match : matches_) {
    if (match.a1 == match.a0 || match.b1 == match.b0 || match.distance >= 0.5) continue;
    if (!box_.empty() && !tokens_[match.b0].inside) continue;  // the source may lack its own
    words += match.a1 - match.a0;
    for (size_t b = match.b0; b < match.b1; ++b) {
      letters += tokens_[b].aligned.key.size();
      if (is_new(tokens_[b])) return false;
    }
  }
  return letters >= kFewLetters && 2 * words >= words_.size();
}

}  // namespace docspec
