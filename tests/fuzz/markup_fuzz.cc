// What models write: every markup takes any text; what it made of it can be written again.
// docspec/1 JSON, which is read back, gives a document or an Error.
#include <cstdint>

#include "core/base/error.h"
#include "core/markup/registry.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const docspec::PageFrame frame{612, 792, 616, 784};
  for (const auto& dialect : docspec::dialects()) {
    const auto markup = dialect.make();
    markup->render_page(markup->parse_page(text, frame), frame);
  }
  for (const auto& format : docspec::output_formats()) {
    const auto output = format.make();
    try {
      output->render(output->parse(text), {});
    } catch (const docspec::Error&) {
    }
  }
  return 0;
}
