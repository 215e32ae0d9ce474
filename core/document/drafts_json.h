#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/page/draft.h"

namespace docspec {

/// The Drafts JSON `docspec-drafts/1` of one input in memory.
struct DraftsFile {
  std::string source_file;
  std::string source_sha256;
  std::vector<PageDrafts> pages;
};

/// Renders Drafts JSON, a line a page; parse_drafts_json undoes it.
std::string render_drafts_json(const DraftsFile& drafts);

/// Reads Drafts JSON. `name` begins each message. Throws Error(input_file) naming the key
/// ("pages[2].regions[0].bbox") that is missing or wrong.
DraftsFile parse_drafts_json(std::string_view json, const std::string& name);

}  // namespace docspec
