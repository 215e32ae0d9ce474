#include "cuda/start_up_check.h"

#include <ATen/ATen.h>

namespace docspec::cuda {

bool agree(const Ops& ours, const Ops& reference) {
  const auto options = at::TensorOptions().device(at::kCUDA).dtype(at::kFloat);
  const CheckedTree tree;
  AttentionRows rows{tree.kPrefix, tree.parent, tree.depth};
  const at::Tensor q = at::randn({6, 12, 128}, options);
  for (const auto& [type, most] : {std::pair{at::kFloat, 1e-4f}, {at::kBFloat16, 2e-2f}}) {
    const auto random = [&] { return at::randn({2, tree.kSlots, 128}, options).to(type); };
    const std::vector<at::Tensor> pages = pages_of(random(), random());
    rows.pages = pages;
    const CacheRows cache{nullptr, nullptr, tree.kPrefix, 6, pages, 0};
    const auto attend = [&](const Ops& ops) {
      const auto plan = ops.plan(std::span(&rows, 1), {8, 6}, pages[0]);
      return ops.attention(q, std::span(&cache, 1), *plan);
    };
    if (!((attend(ours) - attend(reference)).abs().max().item<float>() < most)) return false;
  }
  const at::Tensor logits = at::randn({6, 4001}, options);
  const std::vector<int32_t> token = {0, 1, 2, 3, 4, 5};
  return ours.row_stats(logits, token, tree.parent).argmax ==
         reference.row_stats(logits, token, tree.parent).argmax;
}

}  // namespace docspec::cuda
