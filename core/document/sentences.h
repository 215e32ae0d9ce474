#pragma once

#include <string_view>

namespace docspec {

/// Whether `next`, the text of another place on the page, goes on with the sentence that `text`
/// leaves open: it begins with a small letter, maybe after brackets or a formula, or `text` ends
/// with a word that ends no sentence.
bool sentence_goes_on(std::string_view text, std::string_view next);

/// Whether a long text in Chinese or Japanese breaks off within a sentence that `next` may go on
/// with.
bool goes_on_in_cjk(std::string_view text, std::string_view next);

}  // namespace docspec
