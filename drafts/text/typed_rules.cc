#include "drafts/text/typed_rules.h"

#include <algorithm>
#include <string_view>

#include "drafts/lines/font_style.h"
#include "drafts/lines/text_lines.h"

namespace docspec {
namespace {

/// Whether a word is at least `least` of one of the signs that rules are typed with.
bool is_rule(std::string_view text, size_t least) {
  return text.size() >= least && std::string_view("._-=").find(text[0]) != std::string_view::npos &&
         text.find_first_not_of(text[0]) == text.npos;
}

}  // namespace

void remove_typed_rules(std::vector<Word>& words) {
  constexpr size_t kLeastSigns = 20;
  std::vector<bool> drop(words.size(), false);
  for (size_t i = 0; i < words.size(); ++i) {
    const bool code = words[i].text[0] == '-' && font_style(words[i].font).mono;
    if (!is_rule(words[i].text, kLeastSigns) || words[i].quarter_turns != 0 || code) continue;
    drop[i] = std::none_of(words.begin(), words.end(), [&](const Word& other) {
      return row_overlap(other.box, words[i].box) > 0.5 && !is_rule(other.text, 1) &&
             other.text != "*";
    });
  }
  size_t kept = 0;
  for (size_t i = 0; i < words.size(); ++i)
    if (!drop[i]) {
      if (kept != i) words[kept] = std::move(words[i]);
      ++kept;
    }
  words.resize(kept);
}

}  // namespace docspec
