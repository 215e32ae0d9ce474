#include "core/input/document_reader.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/input/image_reader.h"
#include "core/input/pdf_reader.h"

namespace docspec {
namespace {

/// Readers accept up to 1024 bytes of junk before the header (ISO 32000-1, H.3).
bool is_pdf(std::string_view bytes) {
  return bytes.substr(0, 1024 + 5).find("%PDF-") != bytes.npos;
}

}  // namespace

bool begins_document(std::string_view bytes) {
  return is_image(bytes) || is_pdf(bytes);
}

std::unique_ptr<DocumentReader> open_document(std::shared_ptr<const InputBytes> input,
                                              const std::string& user_password) {
  const std::string_view bytes = input->bytes.view();
  if (bytes.empty())
    throw Error(ExitCode::input_file, input->name + ": empty file; check how it was made");
  if (is_image(bytes)) return open_image(std::move(input));
  if (is_pdf(bytes)) return open_pdf(std::move(input), user_password);
  throw Error(
      ExitCode::input_file,
      input->name + ": neither a PDF nor a PNG, JPEG, TIFF or WebP image; convert it first");
}

}  // namespace docspec
