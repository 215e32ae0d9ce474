#pragma once

#include <span>
#include <string_view>

#include "core/page/draft.h"

namespace docspec {

/// Whether a word is a price: digits with two decimals, maybe with the letters of a currency or a
/// tax: "RM40.95", "$2.50", "1.30s".
bool is_price(std::string_view word);

/// Whether all words of a line or a region are those of an account, such as a receipt's, which look
/// like a formula to a net: prices, percentages ("SR = 6%") and words.
bool is_account(std::span<const Word* const> words);

}  // namespace docspec
