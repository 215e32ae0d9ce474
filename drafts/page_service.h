#pragma once

#include <filesystem>

#include "core/worker/draft_service.h"
#include "drafts/page_drafter.h"

namespace docspec {

/// Opens documents and drafts their pages with a PageDrafter: what a worker process does. With a
/// folder of drafts each document has its own, see drafts_in_folder; one without is drafted anew.
MakeDraftService make_page_service(const PageDraftOptions& options,
                                   const std::filesystem::path& replay_folder = {});

}  // namespace docspec
