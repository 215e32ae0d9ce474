#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/document/drafts_json.h"

namespace docspec {

/// Reads a file for `replay:`, recognised by content: Drafts JSON, PP-StructureV3's `*_res.json`
/// (one page), MinerU's `content_list.json`, hOCR. `name` begins each message. Throws
/// Error(input_file) for anything else.
DraftsFile parse_replay_file(std::string_view bytes, const std::string& name);

/// The same of a file. Throws also where it cannot be read.
DraftsFile read_replay_file(const std::filesystem::path& file);
/// The file in a folder of drafts for the input with this digest of its bytes.
std::filesystem::path drafts_in_folder(const std::filesystem::path& folder,
                                       const std::string& sha256);

/// The formats one by one; they throw Error(input_file) naming what is missing.
DraftsFile parse_pp_structure(std::string_view json, const std::string& name);
DraftsFile parse_mineru(std::string_view json, const std::string& name);
DraftsFile parse_hocr(std::string_view html, const std::string& name);

}  // namespace docspec
