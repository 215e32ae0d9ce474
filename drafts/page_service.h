#pragma once

#include "core/worker/draft_service.h"
#include "drafts/page_drafter.h"

namespace docspec {

/// Opens documents and drafts their pages with a PageDrafter: what a worker process does.
MakeDraftService make_page_service(const PageDraftOptions& options);

}  // namespace docspec
