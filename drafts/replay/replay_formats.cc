#include "drafts/replay/replay_formats.h"

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/base/json_file.h"

namespace docspec {

namespace {

/// Of a page whose drafts are laid on it in time that grows with their square.
constexpr size_t kMostOnAPage = 20'000;

DraftsFile parse(std::string_view bytes, const std::string& name) {
  const size_t first = bytes.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (first != bytes.npos && bytes[first] == '<') return parse_hocr(bytes, name);
  try {
    refuse_deep_json(bytes, name);
  } catch (const Error& e) {
    throw Error(ExitCode::input_file, e.what());
  }
  const auto json = nlohmann::json::parse(bytes, nullptr, false);
  if (json.is_array()) return parse_mineru(bytes, name);
  if (json.is_object() && !json.contains("schema") &&
      (json.contains("parsing_res_list") || json.contains("res")))
    return parse_pp_structure(bytes, name);
  if (json.is_object()) return parse_drafts_json(bytes, name);
  throw Error(ExitCode::input_file,
              name +
                  ": no file to replay; it takes Drafts JSON (docspec draft), PP-StructureV3's "
                  "*_res.json, MinerU's content_list.json or hOCR");
}

}  // namespace

DraftsFile parse_replay_file(std::string_view bytes, const std::string& name) {
  DraftsFile file = parse(bytes, name);
  for (const PageDrafts& page : file.pages)
    if (page.regions.size() > kMostOnAPage || page.drafts.size() > kMostOnAPage)
      throw Error(ExitCode::input_file, name + ": page " + std::to_string(page.page) +
                                            ": has more than 20,000 regions or drafts");
  return file;
}

DraftsFile read_replay_file(const std::filesystem::path& file) {
  constexpr int64_t kMostBytes = 500'000'000;
  return parse_replay_file(read_regular(file, kMostBytes, ExitCode::input_file), file.string());
}

std::filesystem::path drafts_in_folder(const std::filesystem::path& folder,
                                       const std::string& sha256) {
  return folder / (sha256 + ".json");
}

}  // namespace docspec
