#include "core/decode/look_ahead.h"

#include <algorithm>
#include <utility>

namespace docspec {

void LookAhead::save(std::span<const Branch> branches, std::span<const int32_t> emitted) {
  std::vector<Branch> rest;
  std::vector<std::vector<int32_t>> tokens;
  for (const Branch& branch : branches) {
    if (branch.tokens.size() <= emitted.size() ||
        !std::equal(emitted.begin(), emitted.end(), branch.tokens.begin()))
      continue;
    tokens.emplace_back(branch.tokens.begin() + std::ptrdiff_t(emitted.size()),
                        branch.tokens.end());
    rest.push_back(branch);
    rest.back().tokens = tokens.back();
    rest.back().match_length += int64_t(emitted.size());
  }
  // Only now: the given branches may refer to the tokens kept so far.
  branches_ = std::move(rest);
  tokens_ = std::move(tokens);
}

bool LookAhead::worthwhile(const std::function<bool(int32_t)>& is_stop) const {
  constexpr size_t kLong = 8;  // tokens
  return std::any_of(branches_.begin(), branches_.end(), [&](const Branch& branch) {
    return branch.tokens.size() >= kLong || is_stop(branch.tokens.back());
  });
}

std::vector<Branch> LookAhead::take() {
  return std::exchange(branches_, {});
}

}  // namespace docspec
