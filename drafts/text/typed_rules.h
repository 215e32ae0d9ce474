#pragma once

#include <vector>

#include "core/page/draft.h"

namespace docspec {

/// Takes away rules that were typed: long rows of nothing but dots, hyphens or underscores that no
/// other text stands beside, or a footnote's mark alone.
void remove_typed_rules(std::vector<Word>& words);

}  // namespace docspec
