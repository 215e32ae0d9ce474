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
  for (size_t i = words.size(); i-- > 0;) {
    const Word& rule = words[i];
    const bool code = rule.text[0] == '-' && font_style(rule.font).mono;
    if (!is_rule(rule.text, kLeastSigns) || rule.quarter_turns != 0 || code) continue;
    const bool alone = std::none_of(words.begin(), words.end(), [&](const Word& other) {
      return row_overlap(other.box, rule.box) > 0.5 && !is_rule(other.text, 1) && other.text != "*";
    });
    if (alone) words.erase(words.begin() + std::ptrdiff_t(i));
  }
}

}  // namespace docspec
