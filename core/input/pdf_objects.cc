#define POINTERHOLDER_TRANSITION 4  // QPDF's headers warn without it
#include "core/input/pdf_objects.h"

#include <exception>
#include <qpdf/QPDF.hh>

namespace docspec {

std::shared_ptr<QPDF> open_pdf_objects(std::string_view bytes, const std::string& password) {
  try {
    auto pdf = std::make_shared<QPDF>();
    pdf->setSuppressWarnings(true);
    pdf->setAttemptRecovery(false);
    pdf->processMemoryFile("", bytes.data(), bytes.size(), password.c_str());
    return pdf;
  } catch (const std::exception&) {
    return nullptr;
  }
}

}  // namespace docspec
