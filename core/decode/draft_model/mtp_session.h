#pragma once

#include <ATen/core/Tensor.h>

#include <memory>
#include <vector>

#include "core/decode/draft_model/draft_model_session.h"

namespace docspec {

class LayeredKvCache;
class MtpLayer;
struct RopePositions;

/// The target's own layer for further tokens in one job, chained: each token after the first is
/// drafted from the layer's own row. `cache` is the job's and keeps hidden rows
/// (LayeredKvCache::keep_hidden) since before its prompt; `positions` are those of the prompt.
/// `image`: VisualRows::rows of the prompt's image, undefined where it has none. `layer` and
/// `cache` must outlive the session. `read` throws what the model throws.
std::unique_ptr<DraftModelSession> make_mtp_session(const MtpLayer& layer, LayeredKvCache& cache,
                                                    std::vector<int32_t> prompt,
                                                    RopePositions positions, at::Tensor image,
                                                    const DraftModelInput& input);

}  // namespace docspec
