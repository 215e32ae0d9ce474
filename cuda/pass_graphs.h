#pragma once

#include <memory>

#include "core/ops/graph_cache.h"

namespace docspec::cuda {

/// Passes as CUDA graphs, one for each shape. A graph is taken when a shape comes for the second
/// time, and is used only where it gives the bits that the pass gave when it was run; else, and
/// where a pass cannot be captured, passes go on being run, and stderr says so once.
std::unique_ptr<GraphCache> make_pass_graphs();

}  // namespace docspec::cuda
