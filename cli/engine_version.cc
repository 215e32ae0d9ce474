#include <fmt/format.h>

#include "cli/engine.h"
#include "core/document/decode_stats.h"
#include "core/document/document.h"
#include "core/document/drafted_page.h"
#include "drafts/ocr/formulas/formula_reader.h"

namespace docspec {

std::string engine_version() {
  return fmt::format(DOCSPEC_VERSION " {} {} {} {} {}", sizeof(Options), sizeof(DraftedPage),
                     sizeof(Page), sizeof(DecodeStats), sizeof(ReadFormula));
}

}  // namespace docspec
