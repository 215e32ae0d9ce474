#include "tests/support/toy_lm.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <stdexcept>

#include "core/model/draft_tree.h"

namespace docspec {
namespace {

uint64_t mix(uint64_t x) {  // splitmix64
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

double unit(uint64_t x) {
  return double(mix(x) >> 11) * 0x1p-53;
}

}  // namespace

void ToyCache::append(const DraftTree& tree) {
  if (!tree_token_.empty()) throw std::logic_error("ToyCache: forward before commit");
  tree_token_.assign(tree.token().begin(), tree.token().end());
  tree_parent_.assign(tree.parent().begin(), tree.parent().end());
}

void ToyCache::commit(std::span<const int32_t> rows) {
  int32_t at = -1;
  for (const int32_t row : rows) {
    if (row < 0 || row >= int32_t(tree_token_.size()) || tree_parent_[row] != at)
      throw std::logic_error("ToyCache: commit of what is no path of the last tree");
    tokens_.push_back(tree_token_[row]);
    at = row;
  }
  tree_token_.clear();
  tree_parent_.clear();
}

void ToyLm::fill(std::span<const int32_t> path, float* row) const {
  const size_t reach = options_.order > 0 ? size_t(options_.order) : path.size();
  uint64_t h = options_.seed;
  for (const int32_t token : path.last(std::min(reach, path.size()))) h = mix(h ^ uint32_t(token));
  for (int64_t v = 0; v < options_.vocab; ++v)
    row[v] = float((2 * unit(h + uint64_t(v) * 0x51ed27) - 1) * options_.spread);
  if (options_.stop >= 0) row[options_.stop] = unit(~h) < options_.stop_rate ? 50.f : -50.f;
}

at::Tensor ToyLm::logits_after(const std::vector<int32_t>& path) const {
  at::Tensor out = at::empty({1, options_.vocab}, at::kFloat);
  fill(path, out.data_ptr<float>());
  return out;
}

std::unique_ptr<ToyCache> ToyLm::prefill(const std::vector<int32_t>& prompt) const {
  auto cache = std::make_unique<ToyCache>();
  cache->tokens_ = prompt;
  return cache;
}

at::Tensor ToyLm::forward(std::span<const SequenceInput> jobs, const ForwardOptions&) const {
  int64_t total = 0;
  passes_.emplace_back();
  for (const SequenceInput& job : jobs) {
    passes_.back().push_back(job.tree->rows());
    total += int64_t(job.tree->rows());
  }
  at::Tensor out = at::empty({total, options_.vocab}, at::kFloat);
  float* row = out.data_ptr<float>();
  for (const SequenceInput& job : jobs) {
    auto& cache = dynamic_cast<ToyCache&>(*job.cache);
    cache.append(*job.tree);
    for (int32_t r = 0; r < int32_t(job.tree->rows()); ++r, row += options_.vocab) {
      std::vector<int32_t> own;
      for (int32_t at = r; at >= 0; at = job.tree->parent()[at])
        own.push_back(job.tree->token()[at]);
      std::vector<int32_t> path = cache.tokens();
      path.insert(path.end(), own.rbegin(), own.rend());
      fill(path, row);
    }
  }
  return out;
}

}  // namespace docspec
