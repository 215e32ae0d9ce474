#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/decode/retrieve/phrase_layer.h"

namespace docspec {

class Tokenizer;

/// `docspec store build`: texts (name, UTF-8) as one JSON file, `docspec-store/1`. Text and not
/// ids, so that one store serves every model.
std::string store_json(const std::vector<std::pair<std::string, std::string>>& texts);

/// The texts of a store as `tokenizer` has them; read once a process. Throws Error(usage) where the
/// file is no store.
std::shared_ptr<const PhraseLayer> load_store(const std::string& path, const Tokenizer& tokenizer);

}  // namespace docspec
