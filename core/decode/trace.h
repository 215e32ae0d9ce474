#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/decode/job.h"

namespace docspec {

/// One line of `--trace` without the line break:
/// {"page":1,"stage":"page","region":null,"prompt_ids":[..],"output_ids":[..],"end":"stop",
/// "steps":[{"rows":N,"accepted":a,"source":"tesseract"}..]}
/// A step that accepted nothing has the source null.
nlohmann::json trace_record(const Job& job);

/// One line of `--explain`: why each proposed token of the job was rejected. A rejection has the
/// position in the output, the proposed token and its source, the token of the model, the margin of
/// log-probability, and the number of rows that were lost with it. Tokens below a rejected one were
/// not verified and are not listed. `text` turns an id into text; nullptr leaves texts out.
nlohmann::json explain_record(const Job& job, const std::function<std::string(int32_t)>& text);

}  // namespace docspec
