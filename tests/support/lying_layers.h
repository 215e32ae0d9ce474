#pragma once

#include <functional>
#include <random>
#include <vector>

#include "core/page/draft.h"

namespace docspec::test {

/// A way in which a text layer says something else than the page shows.
struct LyingLayer {
  const char* name;
  std::function<void(std::vector<Word>&, std::mt19937&)> change;
};

std::vector<LyingLayer> lying_layers();

}  // namespace docspec::test
