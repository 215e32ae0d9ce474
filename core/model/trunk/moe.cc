#include "core/model/trunk/moe.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "core/model/checkpoint/checkpoint.h"
#include "core/model/checkpoint/config_reader.h"
#include "core/model/checkpoint/weights.h"
#include "core/ops/ops.h"
#include "core/ops/transfer.h"

namespace docspec {
namespace {

/// The rows that chose each expert, and by what share.
struct Routes {
  std::vector<std::vector<int64_t>> rows;
  std::vector<std::vector<float>> shares;
};

/// scores: [rows, experts] f32 on the host. Of equal scores the lower number is chosen.
Routes route(const at::Tensor& scores, int64_t chosen, double scale) {
  const int64_t experts = scores.size(1);
  const auto s = scores.accessor<float, 2>();
  Routes out{std::vector<std::vector<int64_t>>(size_t(experts)),
             std::vector<std::vector<float>>(size_t(experts))};
  std::vector<int64_t> order(size_t(experts), 0);
  for (int64_t row = 0; row < scores.size(0); ++row) {
    std::iota(order.begin(), order.end(), 0);
    std::partial_sort(order.begin(), order.begin() + chosen, order.end(),
                      [&](int64_t a, int64_t b) {
                        return s[row][a] > s[row][b] || (s[row][a] == s[row][b] && a < b);
                      });
    for (int64_t i = 0; i < chosen; ++i) {
      const auto expert = size_t(order[size_t(i)]);
      out.rows[expert].push_back(row);
      out.shares[expert].push_back(float(scale) * s[row][order[size_t(i)]]);
    }
  }
  return out;
}

}  // namespace

MoeConfig MoeConfig::read(const ConfigReader& text) {
  MoeConfig out;
  out.experts = text.count("n_routed_experts");
  out.chosen = text.count("num_experts_per_tok");
  out.shared = text.integer("n_shared_experts", 0);
  out.intermediate = text.count("moe_intermediate_size");
  out.scale = text.number("routed_scaling_factor", out.scale);
  const int64_t layers = text.count("num_hidden_layers");
  if (text.has("mlp_layer_types")) {
    for (const std::string& kind : text.strings("mlp_layer_types"))
      out.layers.push_back(kind == "sparse");
  } else {
    const int64_t dense = text.integer("first_k_dense_replace", 0);
    for (int64_t i = 0; i < layers; ++i) out.layers.push_back(i >= dense);
  }
  if (int64_t(out.layers.size()) != layers)
    throw_unsupported_config("mlp_layer_types: not one for each of num_hidden_layers");
  if (out.chosen > out.experts || out.shared < 0)
    throw_unsupported_config(
        "num_experts_per_tok, n_routed_experts and n_shared_experts do not fit");
  const std::string method = text.string("topk_method", "greedy");
  if (method != "greedy")
    throw_unsupported_config("topk_method '" + method + "' is not supported (greedy is)");
  const std::string scoring = text.string("scoring_func", "softmax");
  if (scoring != "softmax")
    throw_unsupported_config("scoring_func '" + scoring + "' is not supported (softmax is)");
  if (text.boolean("norm_topk_prob", false))
    throw_unsupported_config("norm_topk_prob true is not supported");
  if (text.integer("moe_layer_freq", 1) != 1)
    throw_unsupported_config("moe_layer_freq other than 1");
  return out;
}

Moe::Moe(const MoeConfig& config, int64_t hidden, Weights& weights, const std::string& prefix)
    : config_(config), router_(weights.linear(prefix + "gate", hidden, config.experts)) {
  const int64_t wide = config.intermediate, all = config.shared * wide;
  if (weights.checkpoint().has(prefix + "experts.gate_up_proj")) {
    const at::Tensor in =
        weights.get(prefix + "experts.gate_up_proj", {config.experts, 2 * wide, hidden});
    const at::Tensor out =
        weights.get(prefix + "experts.down_proj", {config.experts, hidden, wide});
    for (int64_t i = 0; i < config.experts && in.defined() && out.defined(); ++i)
      experts_.push_back({weights.product(in[i].narrow(0, 0, wide)),
                          weights.product(in[i].narrow(0, wide, wide)), weights.product(out[i])});
  } else {
    for (int64_t i = 0; i < config.experts; ++i) {
      const std::string at = fmt::format("{}experts.{}.", prefix, i);
      experts_.push_back({weights.product(at + "gate_proj", hidden, wide),
                          weights.product(at + "up_proj", hidden, wide),
                          weights.product(at + "down_proj", wide, hidden)});
    }
  }
  if (config.shared == 0) return;
  shared_ = {weights.product(prefix + "shared_experts.gate_proj", hidden, all),
             weights.product(prefix + "shared_experts.up_proj", hidden, all),
             weights.product(prefix + "shared_experts.down_proj", all, hidden)};
}

at::Tensor Moe::Expert::operator()(const Ops& ops, const at::Tensor& x) const {
  return ops.linear(ops.swiglu(ops.linear(x, std::array{&gate, &up})), std::array{&down});
}

at::Tensor Moe::operator()(const Ops& ops, const at::Tensor& x, int64_t row_multiple) const {
  const at::Tensor scores = ops.logits(x, router_).softmax(1).to(at::kCPU);
  const Routes routes = route(scores, config_.chosen, config_.scale);
  at::Tensor out = at::zeros_like(x);
  for (size_t i = 0; i < experts_.size(); ++i) {
    const auto rows = int64_t(routes.rows[i].size());
    if (rows == 0) continue;
    const at::Tensor index = send_to_device(at::tensor(routes.rows[i], at::kLong), x.device());
    const at::Tensor share =
        send_to_device(at::tensor(routes.shares[i], at::kFloat), x.device()).unsqueeze(1);
    const int64_t padding = (row_multiple - rows % row_multiple) % row_multiple;
    const at::Tensor part = at::constant_pad_nd(x.index_select(0, index), {0, 0, 0, padding});
    const at::Tensor seen = experts_[i](ops, part).narrow(0, 0, rows) * share;
    out.index_add_(0, index, seen.to(x.scalar_type()));
  }
  return config_.shared > 0 ? out + shared_(ops, x) : out;
}

}  // namespace docspec
