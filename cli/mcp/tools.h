#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string_view>

namespace docspec {

class ConverterProcess;

/// Called with the pages that are done and those that there are.
using ToolProgress = std::function<void(int done, int all)>;

/// A tool that the server offers.
struct McpTool {
  std::string_view name, description;
  std::string_view schema;  ///< JSON Schema of its arguments
  /// The `content` of its result. Throws Error for arguments and documents that it cannot take.
  nlohmann::json (*call)(const nlohmann::json& arguments, ConverterProcess& converter,
                         const ToolProgress& progress);
};

/// convert, pages, search_text, tables, page_image.
std::span<const McpTool> mcp_tools();

}  // namespace docspec
