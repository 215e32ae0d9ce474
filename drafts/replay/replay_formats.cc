#include "drafts/replay/replay_formats.h"

#include <nlohmann/json.hpp>

#include "core/base/error.h"

namespace docspec {

DraftsFile parse_replay_file(std::string_view bytes, const std::string& name) {
  const size_t first = bytes.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  if (first != bytes.npos && bytes[first] == '<') return parse_hocr(bytes, name);
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

}  // namespace docspec
