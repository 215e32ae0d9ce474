#pragma once

#include <utility>
#include <vector>

#include "core/document/document.h"

namespace docspec {

/// A document of one page that holds `blocks`.
inline Document one_page(std::vector<Block> blocks) {
  Document document;
  document.pages.emplace_back().page = 1;
  document.pages[0].blocks = std::move(blocks);
  return document;
}

}  // namespace docspec
