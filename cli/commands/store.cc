#include "cli/commands.h"
#include "cli/output_guard.h"
#include "core/base/file_descriptor.h"
#include "core/base/output_file.h"
#include "core/decode/retrieve/datastore_file.h"

namespace docspec {

ExitCode store(const Options& options) {
  if (options.inputs.size() < 2 || options.inputs[0] != "build" || !options.output)
    throw Error(ExitCode::usage, "write docspec store build FILE... -o STORE (text or Markdown)");
  refuse_harmful_outputs(options, std::span(options.inputs).subspan(1), {});
  OutputFile output(*options.output);
  std::vector<std::pair<std::string, std::string>> texts;
  for (size_t i = 1; i < options.inputs.size(); ++i) {
    constexpr int64_t kMost = 1'000'000'000;
    std::string text = read_regular(options.inputs[i], kMost, ExitCode::input_file);
    if (text.find('\0') != std::string::npos)
      throw Error(ExitCode::input_file,
                  options.inputs[i] + ": is no text; convert it to Markdown first");
    texts.emplace_back(options.inputs[i], std::move(text));
  }
  output.commit(datastore_json(texts));
  return ExitCode::ok;
}

}  // namespace docspec
