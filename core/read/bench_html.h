#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace docspec {

/// A `docspec-bench/1` document as one self-contained HTML page: totals, plots (inline SVG:
/// speed-up by page, acceptance by source, accepted run lengths, milliseconds by phase, the cost
/// curve), the table of pages with first differences, the document's options.
std::string bench_html(const nlohmann::json& bench);

}  // namespace docspec
