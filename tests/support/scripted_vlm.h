#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/model/vlm.h"

namespace docspec {

/// The tiny checkpoint of the oracle tests with a script in place of its opinion: its n-th prefill
/// answers with the n-th text, then with the stop token; beyond the last with the last one.
/// Prompts, images, caches and passes are the real ones. `margin`: by how much a token's logit is
/// ahead of all others. `family`: whose file of share/families says how it is asked; `own`: the
/// docspec.json. One prompt may hold several pages.
Vlm scripted_vlm(const Ops& ops, const std::vector<std::string>& texts, float margin = 10,
                 const std::string& family = "qwen2_5_vl", const nlohmann::json& own = {});

}  // namespace docspec
