#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/page/draft.h"
#include "core/text/tokenizer.h"

namespace docspec {

/// Token ids of the draft texts of a page. Each text is tokenised once, although the stages and the
/// witness ask for it again.
class TokenizedTexts {
 public:
  /// `tokenizer` must outlive the object.
  explicit TokenizedTexts(const Tokenizer& tokenizer) : tokenizer_(tokenizer) {}

  /// Ids of `text`, without special tokens: text of a document must not turn into them.
  const std::vector<int32_t>& ids(const std::string& text) {
    const auto [at, fresh] = ids_.try_emplace(text);
    if (fresh) at->second = tokenizer_.encode(text, false);
    return at->second;
  }

  /// Ids of the drafts that have text.
  std::vector<std::vector<int32_t>> ids(std::span<const Draft> drafts) {
    std::vector<std::vector<int32_t>> out;
    for (const Draft& draft : drafts)
      if (!draft.text.empty()) out.push_back(ids(draft.text));
    return out;
  }

 private:
  const Tokenizer& tokenizer_;
  std::unordered_map<std::string, std::vector<int32_t>> ids_;
};

}  // namespace docspec
