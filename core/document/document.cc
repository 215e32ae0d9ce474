#include "core/document/document.h"

#include <utility>

namespace docspec {

std::string_view name(PageStatus status) {
  constexpr std::string_view kNames[] = {"ok", "fallback", "failed"};
  return kNames[static_cast<size_t>(status)];
}

std::string_view name(PageLevel level) {
  constexpr std::string_view kNames[] = {"vlm", "region", "draft", "text-layer", "image"};
  return kNames[static_cast<size_t>(level)];
}

std::string_view name(WordSource source) {
  constexpr std::string_view kNames[] = {"model", "document", "ocr"};
  return kNames[static_cast<size_t>(source)];
}

void number_blocks(std::vector<Block>& blocks) {
  for (size_t i = 0; i < blocks.size(); ++i) blocks[i].id = blocks[i].order = int(i);
}

void fall_back(Page& page, std::string why) {
  page.status = PageStatus::fallback;
  page.failure = Failure{ExitCode::partial, std::move(why)};
}

}  // namespace docspec
