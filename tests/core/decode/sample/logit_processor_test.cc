#include "core/decode/sample/logit_processor.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <set>

#include "core/model/draft_tree.h"

namespace docspec {
namespace {

using Ids = std::vector<int32_t>;

/// transformers' RepetitionPenaltyLogitsProcessor over all ids, then NoRepeatNGramLogitsProcessor
/// over all or, as Unlimited-OCR's does, the last of them.
void reference(at::Tensor row, Ids ids, const ProcessorSettings& settings) {
  for (const int32_t id : std::set<int32_t>(ids.begin(), ids.end())) {
    const float old = row[id].item<float>(), penalty = float(settings.repetition_penalty);
    row[id] = old < 0 ? old * penalty : old / penalty;
  }
  const auto n = size_t(settings.no_repeat_ngram_size),
             window = size_t(settings.no_repeat_ngram_window_size);
  if (window > 0 && ids.size() > window) ids.erase(ids.begin(), ids.end() - ptrdiff_t(window));
  if (n == 0 || ids.size() + 1 < n) return;
  const Ids last(ids.end() - ptrdiff_t(n - 1), ids.end());
  for (size_t i = 0; i + n <= ids.size(); ++i)
    if (std::equal(last.begin(), last.end(), ids.begin() + ptrdiff_t(i)))
      row[ids[i + n - 1]] = -std::numeric_limits<float>::infinity();
}

TEST(LogitProcessor, EqualsTransformersOnEachRowsOwnPath) {
  for (uint32_t seed = 0; seed < 150; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 rng(seed);
    const int64_t vocab = 3 + int64_t(rng() % 12);
    ProcessorSettings settings;
    if (rng() % 4) settings.repetition_penalty = 0.5 + 0.1 * double(rng() % 15);
    if (rng() % 4) settings.no_repeat_ngram_size = int64_t(1 + rng() % 5);
    if (seed % 2) settings.no_repeat_ngram_window_size = int64_t(1 + seed / 2 % 20);
    Ids committed(1 + rng() % 30);
    for (auto& id : committed) id = int32_t(rng() % uint64_t(vocab));
    LogitProcessor processor(settings);
    processor.commit(std::span(committed).first(committed.size() / 2));
    processor.commit(std::span(committed).subspan(committed.size() / 2));
    DraftTree tree(committed.back());
    for (int k = 0; k < 5; ++k) {
      Ids path(rng() % 7);
      for (auto& id : path) id = int32_t(rng() % uint64_t(vocab));
      tree.insert(path, 0, 1, 20);
    }
    const int64_t first = int64_t(rng() % 3), rows = first + int64_t(tree.rows()) + 1;
    at::Tensor logits = at::empty({rows, vocab}, at::kFloat);
    for (int64_t i = 0; i < logits.numel(); ++i)
      logits.data_ptr<float>()[i] = float(int(rng() % 2001) - 1000) / 128.f;
    at::Tensor expected = logits.clone();
    for (int32_t row = 0; row < int32_t(tree.rows()); ++row) {
      Ids own;
      for (int32_t at = row; at > 0; at = tree.parent()[at]) own.push_back(tree.token()[at]);
      Ids ids = committed;
      ids.insert(ids.end(), own.rbegin(), own.rend());
      reference(expected[first + row], ids, settings);
    }
    processor.apply(logits, first, tree);
    EXPECT_TRUE(at::equal(logits, expected));
  }
}

TEST(LogitProcessor, DividesPositiveAndMultipliesNegativeLogits) {
  LogitProcessor processor({.repetition_penalty = 2});
  processor.commit(Ids{0, 1, 1});
  at::Tensor logits = at::tensor({4.f, -4.f, 3.f}).view({1, 3});
  processor.apply(logits, 0, DraftTree(1));
  EXPECT_TRUE(at::equal(logits, at::tensor({2.f, -8.f, 3.f}).view({1, 3})));
}

TEST(LogitProcessor, OffChangesNothing) {
  LogitProcessor processor({});
  processor.commit(Ids{0, 1, 2});
  at::Tensor logits = at::tensor({1.f, 2.f, 3.f}).view({1, 3});
  processor.apply(logits, 0, DraftTree(2));
  EXPECT_TRUE(at::equal(logits, at::tensor({1.f, 2.f, 3.f}).view({1, 3})));
}

}  // namespace
}  // namespace docspec
