#include "core/document/document.h"

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

}  // namespace docspec
