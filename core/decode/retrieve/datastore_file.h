#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/decode/propose/suffix_index.h"

namespace docspec {

class Tokenizer;

/// The file of `docspec store build`: texts (name, UTF-8) as one JSON object, `docspec-store/1`. It
/// holds text rather than token ids, so that one file serves every model.
std::string datastore_json(const std::vector<std::pair<std::string, std::string>>& texts);

/// The texts of a datastore file, tokenised; each file is read once per process. Throws
/// Error(usage) if the file is not a datastore.
std::shared_ptr<const SuffixIndex> load_datastore(const std::string& path,
                                                  const Tokenizer& tokenizer);

}  // namespace docspec
