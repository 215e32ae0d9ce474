#pragma once

#include <span>

#include "core/decode/draft_tree.h"

namespace docspec {

/// A candidate as the tree takes it.
struct Branch {
  std::span<const int32_t> tokens;
  int16_t source = 0;
  float score = 1;
};

/// Merges the branches below `pending`, at most `max_rows` rows in all. Where they do not all fit,
/// rows go to the likeliest next tokens: a branch's score times kDecay for each token of depth.
DraftTree grow_tree(int32_t pending, std::span<const Branch> branches, size_t max_rows);

/// Assumed chance that a branch goes on being right by one more token.
inline constexpr float kDecay = 0.97f;

}  // namespace docspec
