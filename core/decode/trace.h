#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/decode/job.h"

namespace docspec {

/// One line of `--trace` without its end of line:
/// {"page":1,"stage":"page","region":null,"prompt_ids":[..],"output_ids":[..],"end":"stop",
///  "steps":[{"rows":N,"accepted":a,"source":"tesseract"}..]}; a step that accepted nothing has the
/// source null.
nlohmann::json trace_record(const Job& job);

/// One line of `--explain`: why each proposed token of the job was turned down. A refusal says
/// where in the output, what was proposed and by whom, what the model said, by what margin of
/// log-probability, and how many rows of the pass went with it. Tokens below a refused one were not
/// judged and have no line of their own. `text` turns an id into text; nullptr leaves texts out.
nlohmann::json explain_record(const Job& job, const std::function<std::string(int32_t)>& text);

}  // namespace docspec
