#include "core/finish/finish_document.h"

namespace docspec {

void finish_document(Document& document, const FinishOptions& options) {
  mark_running_headers(document);
  set_heading_levels(document, options.outline);
  link_notes(document);
  if (options.join_tables) join_tables(document);
  for (Page& page : document.pages) number_blocks(page.blocks);
}

}  // namespace docspec
