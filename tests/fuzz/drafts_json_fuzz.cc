// Drafts JSON: any bytes give drafts or an Error; what was read is read again after rendering.
#include <cstdint>
#include <cstdlib>

#include "core/base/error.h"
#include "core/document/drafts_json.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const auto drafts =
        docspec::parse_drafts_json({reinterpret_cast<const char*>(data), size}, "d.json");
    const std::string text = docspec::render_drafts_json(drafts);
    if (docspec::render_drafts_json(docspec::parse_drafts_json(text, "again")) != text)
      std::abort();
  } catch (const docspec::Error&) {
  }
  return 0;
}
