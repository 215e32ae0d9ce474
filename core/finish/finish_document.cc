#include "core/finish/finish_document.h"

namespace docspec {

void finish_document(Document& document, const FinishOptions& options) {
  mark_running_headers(document);
  set_heading_levels(document, options.outline);
  link_notes(document);
  if (options.join_tables) join_tables(document);
  for (Page& page : document.pages)
    for (size_t i = 0; i < page.blocks.size(); ++i)
      page.blocks[i].id = page.blocks[i].order = int(i);
}

}  // namespace docspec
