// Bytes from a worker process or a journal: a page, or an Error.
#include <cstdint>

#include "core/base/base64.h"
#include "core/base/error.h"
#include "core/document/page_wire.h"
#include "core/worker/drafted_page_wire.h"

namespace {

template <typename Call>
void attempt(Call call) {
  try {
    call();
  } catch (const docspec::Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  attempt([&] { docspec::pack(docspec::unpack_page(bytes)); });
  attempt([&] { docspec::pack(docspec::unpack_drafted_page(bytes)); });
  docspec::from_base64(bytes);
  return 0;
}
