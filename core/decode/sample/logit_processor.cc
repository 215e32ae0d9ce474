#include "core/decode/sample/logit_processor.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <limits>

#include "core/model/draft_tree.h"
#include "core/ops/transfer.h"

namespace docspec {
namespace {

using Ids = std::vector<int32_t>;

/// Tokens of the path from row 0 (excluded: it is committed) to `row`.
Ids ancestors_of(const DraftTree& tree, int32_t row) {
  Ids out;
  for (; row > 0; row = tree.parent()[row]) out.push_back(tree.token()[row]);
  std::reverse(out.begin(), out.end());
  return out;
}

at::Tensor on_device(std::vector<int64_t>& values, const at::Tensor& like) {
  return send_to_device(at::from_blob(values.data(), {int64_t(values.size())}, at::kLong),
                        like.device());
}

}  // namespace

int32_t LogitProcessor::token(int64_t position, std::span<const int32_t> ancestors) const {
  const int64_t committed = int64_t(tokens_.size());
  return position < committed ? tokens_[size_t(position)] : ancestors[size_t(position - committed)];
}

void LogitProcessor::commit(std::span<const int32_t> tokens) {
  if (!settings_.on()) return;
  const int64_t n = settings_.no_repeat_ngram_size;
  for (const int32_t id : tokens) {
    seen_.insert(id);
    tokens_.push_back(id);
    const int64_t at = int64_t(tokens_.size()) - 1;
    if (n == 0 || at < n - 1) continue;
    uint64_t key = 0;
    for (int64_t i = at - n + 1; i < at; ++i) key = key * 1099511628211u + uint32_t(tokens_[i]) + 1;
    follow_[key].push_back(at);
  }
}

void LogitProcessor::apply(at::Tensor& logits, int64_t first_row, const DraftTree& tree) const {
  if (settings_.repetition_penalty != 1) penalize(logits, first_row, tree);
  if (settings_.no_repeat_ngram_size > 0) ban(logits, first_row, tree);
}

void LogitProcessor::penalize(at::Tensor& logits, int64_t first_row, const DraftTree& tree) const {
  const int64_t vocab = logits.size(1);
  std::vector<int64_t> at;
  for (int32_t row = 0; row < int32_t(tree.rows()); ++row) {
    const int64_t base = (first_row + row) * vocab;
    for (const int32_t id : seen_)
      if (id >= 0 && id < vocab) at.push_back(base + id);
    Ids own = ancestors_of(tree, row);
    std::sort(own.begin(), own.end());
    own.erase(std::unique(own.begin(), own.end()), own.end());
    for (const int32_t id : own)
      if (id >= 0 && id < vocab && !seen_.contains(id)) at.push_back(base + id);
  }
  if (at.empty()) return;
  const at::Tensor index = on_device(at, logits);
  at::Tensor flat = logits.view(-1);
  const at::Tensor old = flat.index_select(0, index);
  const double penalty = settings_.repetition_penalty;
  flat.index_copy_(0, index, at::where(old < 0, old * penalty, old / penalty));
}

void LogitProcessor::ban(at::Tensor& logits, int64_t first_row, const DraftTree& tree) const {
  const int64_t vocab = logits.size(1);
  std::vector<int64_t> at;
  for (int32_t row = 0; row < int32_t(tree.rows()); ++row)
    for (const int32_t id : banned(ancestors_of(tree, row)))
      if (id >= 0 && id < vocab) at.push_back((first_row + row) * vocab + id);
  if (at.empty()) return;
  at::Tensor flat = logits.view(-1);
  flat.index_fill_(0, on_device(at, logits), -std::numeric_limits<double>::infinity());
}

std::vector<int32_t> LogitProcessor::banned(std::span<const int32_t> ancestors) const {
  const int64_t n = settings_.no_repeat_ngram_size;
  const int64_t committed = int64_t(tokens_.size());
  const int64_t total = committed + int64_t(ancestors.size());
  if (total < n - 1) return {};
  uint64_t key = 0;
  for (int64_t i = total - n + 1; i < total; ++i)
    key = key * 1099511628211u + uint32_t(token(i, ancestors)) + 1;
  const int64_t window = settings_.no_repeat_ngram_window_size;
  const int64_t begin = window > 0 ? std::max<int64_t>(0, total - window) : 0;
  const auto repeats =
      [&](int64_t position) {  // the n-1 tokens before `position` are the last ones
        if (position - (n - 1) < begin) return false;
        for (int64_t k = 1; k < n; ++k)
          if (token(position - k, ancestors) != token(total - k, ancestors)) return false;
        return true;
      };
  std::vector<int32_t> out;
  if (const auto it = follow_.find(key); it != follow_.end())
    for (const int64_t position : it->second)
      if (repeats(position)) out.push_back(tokens_[size_t(position)]);
  for (int64_t position = std::max(committed, n - 1); position < total; ++position)
    if (repeats(position)) out.push_back(token(position, ancestors));
  return out;
}

}  // namespace docspec
