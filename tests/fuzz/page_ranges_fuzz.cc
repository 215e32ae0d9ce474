// --pages: any text is an Error or gives pages of the document, ascending, each once.
#include <cstdint>
#include <cstdlib>

#include "core/base/error.h"
#include "core/input/page_ranges.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const docspec::PageRanges ranges({reinterpret_cast<const char*>(data), size});
    for (const int count : {0, 1, 7, 1000}) {
      int last = 0;
      for (const int page : ranges.pages(count)) {
        if (page <= last || page > count) std::abort();
        last = page;
      }
      ranges.beyond(count);
    }
  } catch (const docspec::Error&) {
  }
  return 0;
}
