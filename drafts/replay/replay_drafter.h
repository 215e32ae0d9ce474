#pragma once

#include <memory>
#include <optional>

#include "core/document/drafter.h"
#include "core/document/drafts_json.h"

namespace docspec {

/// The page of a Drafts JSON with its boxes scaled to the frame of `page`; nothing when the file
/// does not have that page.
std::optional<PageDrafts> replay_page(const DraftsFile& file, const PageInput& page);

/// Drafts that were written before (`docspec draft`): those of the given regions' ids and page-wide
/// ones. Their regions are the ones to draft for, see replay_page.
std::unique_ptr<Drafter> make_replay_drafter(std::shared_ptr<const DraftsFile> file);

}  // namespace docspec
