#include "core/model/trunk/hybrid_decoder.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "core/model/checkpoint/config_reader.h"
#include "core/model/checkpoint/weights.h"

namespace docspec {
namespace {

/// Heads' numbers in another order: those that turn stand first in each half, so that they turn
/// with the ones that are half a head away, as Ops::rotate has it. x: [heads * dim, ...].
at::Tensor turned_first(const at::Tensor& x, int64_t dim, int64_t turned) {
  if (!x.defined() || turned == 0 || turned == dim) return x;
  auto sizes = x.sizes().vec();
  sizes.insert(sizes.begin() + 1, dim);
  sizes[0] = x.size(0) / dim;
  const at::Tensor heads = x.reshape(sizes);
  const int64_t half = turned / 2, rest = (dim - turned) / 2;
  return at::cat({heads.narrow(1, 0, half), heads.narrow(1, turned, rest),
                  heads.narrow(1, half, half), heads.narrow(1, turned + rest, rest)},
                 1)
      .reshape(x.sizes());
}

at::Tensor padded(const at::Tensor& x, int64_t rows) {  // [n, ...] -> [rows, ...]
  return x.size(0) == rows ? x : at::constant_pad_nd(x, {0, 0, 0, rows - x.size(0)});
}

}  // namespace

RmsNorm zero_centred(RmsNorm norm) {
  if (norm.weight.defined()) norm.weight = norm.weight.to(at::kFloat) + 1;
  return norm;
}

HybridConfig HybridConfig::read(const ConfigReader& config) {
  const ConfigReader text = config.text();
  HybridConfig out;
  out.attention = Qwen2Config::read(config);
  out.attention.qkv_bias = false;
  out.attention.interleaved = true;
  if (text.boolean("attention_bias", false))
    throw_unsupported_config("attention_bias true is not supported");
  if (!text.boolean("attn_output_gate", true))
    throw_unsupported_config("attn_output_gate false is not supported");
  if (out.attention.turned == 0)
    throw_unsupported_config("rope_parameters: there is no partial_rotary_factor");
  if (text.rope().mrope_section.size() != 3)
    throw_unsupported_config("rope_parameters: there is no mrope_section of 3 axes");
  const int64_t every = text.count("full_attention_interval", 4);
  for (int64_t i = 0; i < out.attention.layers; ++i) out.recurrent.push_back((i + 1) % every != 0);
  if (text.has("layer_types")) {
    const std::vector<std::string> types = text.strings("layer_types");
    if (int64_t(types.size()) != out.attention.layers)
      throw_unsupported_config(
          fmt::format("layer_types: {} of {} layers", types.size(), out.attention.layers));
    for (size_t i = 0; i < types.size(); ++i) {
      if (types[i] != "linear_attention" && types[i] != "full_attention")
        throw_unsupported_config("layer_types: '" + types[i] + "' is not known");
      out.recurrent[i] = types[i] == "linear_attention";
    }
  }
  out.attention.layers = std::count(out.recurrent.begin(), out.recurrent.end(), false);
  if (out.attention.layers == 0) throw_unsupported_config("layer_types: none is full_attention");
  out.delta = {text.count("linear_num_value_heads"), text.count("linear_num_key_heads"),
               text.count("linear_key_head_dim"),    text.count("linear_value_head_dim"),
               text.count("linear_conv_kernel_dim"), kDeltaChunk};
  if (out.delta.heads % out.delta.key_heads != 0)
    throw_unsupported_config(
        fmt::format("linear_num_value_heads {} is no multiple of linear_num_key_heads {}",
                    out.delta.heads, out.delta.key_heads));
  return out;
}

HybridDecoder::HybridDecoder(const HybridConfig& config, Weights& weights,
                             const std::string& prefix, const Ops& ops)
    : Qwen2Decoder(config.attention, weights, prefix, ops, NoLayers{}),
      shape_(config.delta),
      recurrent_(std::count(config.recurrent.begin(), config.recurrent.end(), true)) {
  const int64_t d = config_.hidden, wide = config_.intermediate;
  norm_ = zero_centred(norm_);
  for (size_t i = 0; i < config.recurrent.size(); ++i) {
    const std::string at = fmt::format("{}layers.{}.", prefix, i);
    const auto norm = [&](const char* name) {
      return zero_centred(weights.norm(at + name, d, config_.rms_eps));
    };
    layers_.push_back({norm("input_layernorm"),
                       norm("post_attention_layernorm"),
                       {},
                       {},
                       weights.product(at + "mlp.gate_proj", d, wide),
                       weights.product(at + "mlp.up_proj", d, wide),
                       weights.product(at + "mlp.down_proj", wide, d)});
    if (config.recurrent[i])
      layers_.back().delta = read_delta(weights, at + "linear_attn.");
    else
      layers_.back().attention = read_attention(weights, at + "self_attn.");
  }
}

HybridDecoder::Attention HybridDecoder::read_attention(Weights& weights,
                                                       const std::string& at) const {
  const int64_t d = config_.hidden, dim = config_.head_dim(), width = config_.heads * dim;
  const int64_t kv = config_.kv_heads * dim;
  const auto get = [&](const std::string& name, const std::vector<int64_t>& shape) {
    return weights.get(at + name + ".weight", shape);
  };
  Attention out;
  // Of each head its query, then its gate.
  if (const at::Tensor both = get("q_proj", {2 * width, d}); both.defined()) {
    const at::Tensor heads = both.view({config_.heads, 2, dim, d});
    const auto rows = [&](int64_t part) { return heads.select(1, part).reshape({width, d}); };
    out.q = weights.product(turned_first(rows(0), dim, config_.turned));
    out.gate = weights.product(rows(1));
    weights.checkpoint().release(at + "q_proj.weight");
  }
  out.k = weights.product(turned_first(get("k_proj", {kv, d}), dim, config_.turned));
  weights.checkpoint().release(at + "k_proj.weight");
  out.v = weights.product(at + "v_proj", d, kv);
  out.o = weights.product(at + "o_proj", width, d);
  const auto norm = [&](const char* name) {
    const RmsNorm stored = zero_centred(weights.norm(at + name, dim, config_.rms_eps));
    return RmsNorm{turned_first(stored.weight, dim, config_.turned), stored.eps};
  };
  out.q_norm = norm("q_norm");
  out.k_norm = norm("k_norm");
  return out;
}

HybridDecoder::DeltaNet HybridDecoder::read_delta(Weights& weights, const std::string& at) const {
  const int64_t d = config_.hidden, values = shape_.heads * shape_.value_dim;
  DeltaNet out;
  out.qkv = weights.product(at + "in_proj_qkv", d, shape_.channels());
  out.z = weights.product(at + "in_proj_z", d, values);
  out.beta = weights.product(at + "in_proj_b", d, shape_.heads);
  out.decay = weights.product(at + "in_proj_a", d, shape_.heads);
  out.out = weights.product(at + "out_proj", values, d);
  const at::Tensor taps = weights.get(at + "conv1d.weight", {shape_.channels(), 1, shape_.taps});
  const at::Tensor rate = weights.get(at + "A_log", {shape_.heads}),
                   bias = weights.get(at + "dt_bias", {shape_.heads});
  if (taps.defined()) out.weights.taps = taps.squeeze(1).t().to(at::kFloat).contiguous();
  if (rate.defined()) out.weights.rate = rate.to(at::kFloat).exp().neg();
  if (bias.defined()) out.weights.time_bias = bias.to(at::kFloat);
  out.norm = weights.norm(at + "norm", shape_.value_dim, config_.rms_eps);
  return out;
}

void HybridDecoder::finish() {
  padding_ = ops_.linear_is_batch_invariant(embedding_)
                 ? RowPadding{1, true}
                 : find_row_padding(checks(), embedding_.is_cuda() ? kProductRows : 8);
}

/// The products of a pass. The delta rule needs no check: it has a row's own shapes alone.
std::vector<RowCheck> HybridDecoder::checks() const {
  const at::Tensor like = ops_.to_compute_dtype(embedding_.narrow(0, 0, 1));
  std::vector<RowCheck> out;
  const auto add = [&](std::vector<const Linear*> layers) {
    out.push_back(check_of_product(
        layers[0]->weight.size(1), like,
        [this, layers](const at::Tensor& x, int64_t) { return ops_.linear(x, layers); }));
  };
  for (const bool recurrent : {false, true}) {
    const auto layer = std::find_if(layers_.begin(), layers_.end(), [&](const Layer& one) {
      return one.delta.has_value() == recurrent;
    });
    if (layer == layers_.end()) continue;
    if (recurrent) {
      add({&layer->delta->qkv, &layer->delta->z, &layer->delta->beta, &layer->delta->decay});
      add({&layer->delta->out});
    } else {
      const Attention& attention = *layer->attention;
      add({&attention.q, &attention.k, &attention.v, &attention.gate});
      add({&attention.o});
    }
    add({&layer->gate, &layer->up});
    add({&layer->down});
  }
  out.push_back(check_of_product(config_.hidden, like, [this](const at::Tensor& x, int64_t) {
    return ops_.logits(x, head_);
  }));
  out.push_back(
      check_of_attention(ops_, config_.heads, config_.kv_heads, config_.head_dim(), embedding_));
  return out;
}

std::unique_ptr<LayeredKvCache> HybridDecoder::new_cache() const {
  return std::make_unique<RecurrentCache>(ops_, config_.layers, config_.kv_heads,
                                          config_.head_dim(), embedding_, recurrent_, shape_);
}

TrunkBytes HybridDecoder::bytes(c10::Device place) const {
  TrunkBytes out = Qwen2Decoder::bytes(place);
  out.paged = ops_.paged(embedding_, config_.head_dim());
  out.per_cache = recurrent_ * delta_bytes(shape_);
  // A pass's rows before the convolution, keys and updates stay until they are committed.
  out.per_row += recurrent_ * 2 * shape_.channels() * int64_t(sizeof(float));
  return out;
}

at::Tensor HybridDecoder::attend(const Attention& layer, int64_t index, const at::Tensor& x,
                                 const Rotary& rotary, std::span<const SequenceRows> jobs,
                                 AttentionViews& view) const {
  const int64_t rows = rotary.cos.size(0), dim = config_.head_dim();
  const int64_t width = config_.heads * dim, kv = config_.kv_heads * dim;
  const auto parts = ops_.linear(x, std::array{&layer.q, &layer.k, &layer.v, &layer.gate})
                         .narrow(0, 0, rows)
                         .split_with_sizes({width, kv, kv, width}, 1);
  const auto normed = [&](const at::Tensor& heads, const RmsNorm& norm) {
    return ops_.rms_norm(heads.reshape({-1, dim}), norm.weight, norm.eps).view({rows, -1});
  };
  const at::Tensor qkv =
      at::cat({normed(parts[0], layer.q_norm), normed(parts[1], layer.k_norm), parts[2]}, 1);
  std::vector<CacheRows> caches;
  for (const SequenceRows& job : jobs) caches.push_back(job.cache->rows(index));
  const at::Tensor q =
      ops_.rotate_append(qkv, config_.heads, config_.kv_heads, rotary, caches, view.plan());
  const at::Tensor out =
      ops_.attention(q, caches, view.plan(), view.attention_weights()).view({rows, -1});
  return ops_.linear(padded(sigmoid_product(parts[3], out).to(x.scalar_type()), x.size(0)),
                     std::array{&layer.o});
}

at::Tensor HybridDecoder::recur(const DeltaNet& layer, size_t index, const at::Tensor& x,
                                std::span<const RecurrentRows> jobs) const {
  const int64_t channels = shape_.channels(), values = shape_.heads * shape_.value_dim;
  std::vector<DeltaJob> parts;
  int64_t rows = 0;
  for (const auto& [cache, plan] : jobs) {
    parts.push_back({&cache->delta_rows(index), &plan});
    rows += plan.rows();
  }
  const at::Tensor all = ops_.linear(x, std::array{&layer.qkv, &layer.z, &layer.beta, &layer.decay})
                             .narrow(0, 0, rows);
  const auto columns = [&](int64_t from, int64_t count) {
    return all.narrow(1, from, count).to(at::kFloat).contiguous();
  };
  const at::Tensor out =
      ops_.recur(columns(0, channels), columns(channels + values, 2 * shape_.heads), parts, shape_,
                 layer.weights)
          .to(x.scalar_type());
  const at::Tensor normed =
      ops_.rms_norm(out.view({-1, shape_.value_dim}), layer.norm.weight, layer.norm.eps)
          .view({rows, values});
  const at::Tensor gated = ops_.swiglu(at::cat({all.narrow(1, channels, values), normed}, 1));
  return ops_.linear(padded(gated, x.size(0)), std::array{&layer.out});
}

at::Tensor HybridDecoder::run(at::Tensor x, const Rotary& rotary,
                              std::span<const SequenceRows> jobs, AttentionViews& view) const {
  std::vector<RecurrentRows> rows;
  for (const SequenceRows& job : jobs) {
    auto* cache = dynamic_cast<RecurrentCache*>(job.cache);
    if (!cache) throw std::invalid_argument("HybridDecoder: a cache of another model");
    rows.push_back({cache, plan_delta(job.attention.prefix, shape_.chunk, job.attention.parent)});
  }
  x = ops_.to_compute_dtype(x);
  at::Tensor more;  // to be added to x later
  const auto normed = [&](const RmsNorm& norm) {
    return more.defined() ? ops_.add_norm(x, more, norm.weight, norm.eps)
                          : ops_.rms_norm(x, norm.weight, norm.eps);
  };
  size_t attending = 0, recurrent = 0;
  for (const Layer& layer : layers_) {
    const at::Tensor inner = normed(layer.mixer_norm);
    if (layer.attention) {
      view.enter(attending);
      more = attend(*layer.attention, int64_t(attending), inner, rotary, jobs, view);
      view.leave(attending++);
    } else {
      more = recur(*layer.delta, recurrent++, inner, rows);
    }
    const at::Tensor gate_up =
        ops_.linear(normed(layer.mlp_norm), std::array{&layer.gate, &layer.up});
    more = ops_.linear(ops_.swiglu(gate_up), std::array{&layer.down});
  }
  const at::Tensor out = normed(norm_);  // x is the sum now
  keep_hidden(x, jobs);
  return out;
}

}  // namespace docspec
