#include "cuda/start_up_check.h"

#include <ATen/ATen.h>

#include <numeric>

#include "core/ops/delta_rule.h"

namespace docspec::cuda {

float recurrent_layers_difference(const Ops& ours, const Ops& reference,
                                  const at::TensorOptions& options) {
  const CheckedTree tree;
  const DeltaShape shape{2, 1, 128, 128, 4, 8};
  const int64_t before = 3 * shape.chunk - 2;
  const DeltaWeights weights{at::randn({shape.taps, shape.channels()}, options),
                             -at::rand({shape.heads}, options), at::randn({shape.heads}, options)};
  std::vector<int32_t> rows(static_cast<size_t>(before)), chain;
  std::iota(rows.begin(), rows.end(), 0);
  for (const int32_t row : rows) chain.push_back(row - 1);
  const auto x = [&](int64_t n) { return at::randn({n, shape.channels()}, options); };
  const auto gates = [&](int64_t n) { return at::randn({n, 2 * shape.heads}, options); };
  const at::Tensor text = x(before), text_gates = gates(before), drafts = x(6),
                   draft_gates = gates(6);
  const auto outputs = [&](const Ops& ops) {
    DeltaRows kept = empty_delta_rows(shape, text);
    const DeltaPlan prompt = plan_delta(0, shape.chunk, chain),
                    pass = plan_delta(before, shape.chunk, tree.parent);
    const DeltaJob first{&kept, &prompt}, second{&kept, &pass};
    const at::Tensor read = ops.recur(text, text_gates, std::span(&first, 1), shape, weights);
    ops.commit_delta(std::span(&kept, 1), 0, rows, shape);
    return at::cat({read, ops.recur(drafts, draft_gates, std::span(&second, 1), shape, weights)});
  };
  return (outputs(ours) - outputs(reference)).abs().max().item<float>();
}

std::string disagreement(const Ops& ours, const Ops& reference) {
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
    const float differ = (attend(ours) - attend(reference)).abs().max().item<float>();
    if (!(differ < most))
      return std::string("attention over ") + (type == at::kFloat ? "f32" : "bf16") +
             " caches differs from libtorch's by " + std::to_string(differ);
  }
  if (const float differ = recurrent_layers_difference(ours, reference, options); !(differ < 1e-4f))
    return "recurrent layers differ from libtorch's by " + std::to_string(differ);
  const at::Tensor logits = at::randn({6, 4001}, options);
  const std::vector<int32_t> token = {0, 1, 2, 3, 4, 5};
  if (ours.row_stats(logits, token, tree.parent).argmax !=
      reference.row_stats(logits, token, tree.parent).argmax)
    return "the largest logit of a row is not libtorch's";
  return "";
}

}  // namespace docspec::cuda
