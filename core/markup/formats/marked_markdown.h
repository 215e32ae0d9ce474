#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/page/text_mark.h"

namespace docspec {

/// A plain text of one line with its marks as inline CommonMark: emphasis, code, links, and
/// GitHub's footnotes
/// ("[^1]"; "[^1]: " where `note` and the mark opens the text). A mark that CommonMark could not
/// show there, or that adds nothing (a link from its own address), is left out; the text never is.
std::string marked_markdown(std::string_view text, const std::vector<TextMark>& marks, bool note);

}  // namespace docspec
