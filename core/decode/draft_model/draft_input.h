#pragma once

#include <string_view>
#include <vector>

namespace docspec {

/// A way to show the page to a draft model.
enum class DraftInput {
  image,
  text,    ///< a line break in place of each of the image's tokens
  pooled,  ///< the image's rows, 2 x 2 averaged
  draft,   ///< "image: " and the draft text in place of the image
};

/// Reads "image+text+pooled+draft". Throws Error(usage) naming `axis`.
std::vector<DraftInput> parse_inputs(std::string_view axis, std::string_view text);

}  // namespace docspec
