#pragma once

#include <string_view>

namespace docspec {

/// The `<style>` element of the HTML viewer: two columns next to a list of pages, one column on a
/// narrow screen, light or dark as the reader's system is.
std::string_view viewer_style();

/// The `<script>` element of the HTML viewer: loads images, links blocks with their boxes, keys,
/// search. Without it the page shows the text and the boxes.
std::string_view viewer_script();

}  // namespace docspec
