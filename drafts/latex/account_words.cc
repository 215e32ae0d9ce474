#include "drafts/latex/account_words.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <string>

namespace docspec {

bool is_price(std::string_view word) {
  constexpr size_t kMostLetters = 3;  // of a currency or a tax
  const auto take = [&word](int (*is)(int)) {
    size_t count = 0;
    while (count < word.size() && is(uint8_t(word[count]))) ++count;
    word.remove_prefix(count);
    return count;
  };
  if (word.starts_with('$')) word.remove_prefix(1);
  if (take(std::isalpha) > kMostLetters) return false;
  take(std::isdigit);  // none in ".90"
  if (!word.starts_with('.')) return false;
  word.remove_prefix(1);
  return take(std::isdigit) == 2 && take(std::isalpha) <= kMostLetters && word.empty();
}

bool is_account(std::span<const Word* const> words) {
  const auto is_share = [](const Word& word) {
    return word.text.size() > 1 && word.text.ends_with('%') &&
           std::isdigit(uint8_t(word.text.end()[-2]));
  };
  bool any = false;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& text = words[i]->text;
    const bool amount = is_price(text) || is_share(*words[i]);
    const bool equals = text == "=" && i + 1 < words.size() && is_share(*words[i + 1]);
    const bool letters = std::all_of(text.begin(), text.end(), [](char c) {
      return std::isalpha(uint8_t(c)) || c == ':' || c == '.' || c == '$';
    });
    if (!amount && !equals && !letters) return false;
    any |= amount;
  }
  return any;
}

}  // namespace docspec
