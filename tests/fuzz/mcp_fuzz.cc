// Lines from a program that drives `docspec mcp`: the server answers or says what is wrong, and
// goes on.
#include <cstdint>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/mcp/server.h"
#include "cli/mcp/tools.h"
#include "core/base/error.h"

namespace docspec {

/// In the place of the tools that start docspec: it gives back what it was given, or refuses it.
std::span<const McpTool> mcp_tools() {
  static constexpr McpTool kTools[] = {
      {"convert", "", "{}",
       [](const nlohmann::json& arguments, ConverterProcess&, const ToolProgress& progress) {
         progress(1, 2);
         if (!arguments.is_object() || !arguments.contains("path"))
           throw Error(ExitCode::usage, "path is missing");
         return nlohmann::json::array({arguments});
       }}};
  return kTools;
}

}  // namespace docspec

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::istringstream lines(std::string(reinterpret_cast<const char*>(data), size));
  std::streambuf* const before = std::cin.rdbuf(lines.rdbuf());
  std::cin.clear();
  docspec::serve_mcp();
  std::cin.rdbuf(before);
  return 0;
}
