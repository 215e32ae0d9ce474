#include "core/decode/draft_model/draft_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/error.h"

namespace docspec {
namespace {

constexpr std::pair<std::string_view, DraftInput> kInputs[] = {{"image", DraftInput::image},
                                                               {"text", DraftInput::text},
                                                               {"pooled", DraftInput::pooled},
                                                               {"draft", DraftInput::draft}};

}  // namespace

std::vector<DraftInput> parse_inputs(std::string_view axis, std::string_view text) {
  std::vector<DraftInput> out;
  while (true) {
    const std::string_view name = text.substr(0, text.find('+'));
    const auto* found = std::find_if(std::begin(kInputs), std::end(kInputs),
                                     [&](const auto& input) { return input.first == name; });
    if (found == std::end(kInputs) || std::find(out.begin(), out.end(), found->second) != out.end())
      throw Error(ExitCode::usage,
                  fmt::format("{}: inputs={}: must be some of image, text, pooled, draft, each "
                              "once, with + between",
                              axis, text));
    out.push_back(found->second);
    if (name.size() == text.size()) return out;
    text.remove_prefix(name.size() + 1);
  }
}

}  // namespace docspec
