#pragma once

#include <memory>

#include "core/ops/graph_cache.h"

namespace docspec::cuda {

/// Passes as CUDA graphs, one for each layout. A graph is captured when a layout comes for the
/// second time. It is used only if it gives the bits of the pass that was run; otherwise, and if a
/// pass cannot be captured, passes are run as before, and stderr says so once.
std::unique_ptr<GraphCache> make_pass_graphs();

}  // namespace docspec::cuda
