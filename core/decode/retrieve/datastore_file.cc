#include "core/decode/retrieve/datastore_file.h"

#include <map>
#include <mutex>
#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/base/file_descriptor.h"
#include "core/text/tokenizer.h"

namespace docspec {
namespace {

using nlohmann::json;
constexpr const char* kSchema = "docspec-store/1";

std::shared_ptr<const SuffixIndex> read_store(const std::string& path, const Tokenizer& tokenizer) {
  constexpr int64_t kMost = 2'000'000'000;
  const json store =
      json::parse(read_regular(path, kMost, ExitCode::usage), nullptr, /*allow_exceptions=*/false);
  auto layer = std::make_shared<SuffixIndex>();
  try {
    if (store.at("schema") != kSchema) throw json::other_error::create(501, "schema", nullptr);
    for (const json& text : store.at("texts"))
      layer->add_text(tokenizer.encode(text.at("text").get_ref<const std::string&>(), false));
  } catch (const json::exception&) {
    throw Error(ExitCode::usage, "store " + path + ": is no " + kSchema +
                                     " file; make one with docspec store build FILE... -o STORE");
  }
  return layer;
}

}  // namespace

std::string datastore_json(const std::vector<std::pair<std::string, std::string>>& texts) {
  json out = {{"schema", kSchema}, {"texts", json::array()}};
  for (const auto& [name, text] : texts) out["texts"].push_back({{"name", name}, {"text", text}});
  return out.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

std::shared_ptr<const SuffixIndex> load_datastore(const std::string& path,
                                                  const Tokenizer& tokenizer) {
  static std::mutex mutex;
  static std::map<std::pair<std::string, const Tokenizer*>, std::shared_ptr<const SuffixIndex>>
      kept;
  const std::lock_guard lock(mutex);
  auto& store = kept[{path, &tokenizer}];
  if (!store) store = read_store(path, tokenizer);
  return store;
}

}  // namespace docspec
