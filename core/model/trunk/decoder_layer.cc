#include "core/model/trunk/decoder_layer.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "core/model/checkpoint/config_reader.h"
#include "core/model/checkpoint/weights.h"

namespace docspec {
namespace {

/// Outputs [first, first + n) of a product.
Linear outputs_of(const Linear& layer, int64_t first, int64_t n) {
  Linear out = layer;
  for (at::Tensor* part : {&out.weight, &out.bias, &out.scale, &out.sums})
    if (part->defined()) *part = part->narrow(0, first, n);
  return out;
}

/// The same heads with their numbers in another order: 0, 2, 4, ... before 1, 3, 5, ... Queries and
/// keys in this order turn by halves, and their products are what they were.
Linear halves_of_neighbours(const Linear& layer, int64_t head_dim) {
  Linear out = layer;
  for (at::Tensor* part : {&out.weight, &out.bias, &out.scale, &out.sums}) {
    if (!part->defined()) continue;
    const auto shape = part->sizes().vec();
    *part = part->view({shape[0] / head_dim, head_dim / 2, 2, -1}).transpose(1, 2).reshape(shape);
  }
  return out;
}

}  // namespace

Qwen2Config Qwen2Config::read(const ConfigReader& config) {
  const ConfigReader text = config.text();
  Qwen2Config out;
  out.vocab = text.count("vocab_size");
  out.hidden = text.count("hidden_size");
  out.intermediate = text.count("intermediate_size");
  out.layers = text.count("num_hidden_layers");
  out.heads = text.count("num_attention_heads");
  out.kv_heads = text.count("num_key_value_heads", out.heads);
  out.rms_eps = text.number("rms_norm_eps", 1e-6);
  out.tied =
      text.boolean("tie_word_embeddings", false) || config.boolean("tie_word_embeddings", false);
  out.head_size = text.count("head_dim", out.head_size);
  if (out.head_size == 0 && out.hidden % (2 * out.heads) != 0)
    throw_unsupported_config(fmt::format(
        "hidden_size {} is not an even multiple of num_attention_heads {}", out.hidden, out.heads));
  if (out.heads % out.kv_heads != 0)
    throw_unsupported_config(
        fmt::format("num_attention_heads {} is no multiple of num_key_value_heads {}", out.heads,
                    out.kv_heads));
  const std::string act = text.string("hidden_act", "silu");
  if (act != "silu")
    throw_unsupported_config("hidden_act '" + act + "' is not supported (silu is)");
  if (text.boolean("use_sliding_window", false))
    throw_unsupported_config("use_sliding_window true is not supported");
  const RopeConfig rope = text.rope();
  const bool stretched = (rope.type == "dynamic" || rope.type == "xdrope") && rope.alpha > 0;
  if (rope.type != "default" && rope.type != "mrope" && !stretched)
    throw_unsupported_config("rope_type '" + rope.type +
                             "' is not supported (default, mrope and, with alpha, dynamic are)");
  const auto dim = double(out.head_dim());
  if (rope.partial > 0) out.turned = int64_t(dim * rope.partial);
  if (out.turned % 2 != 0 || out.turned > out.head_dim())
    throw_unsupported_config(fmt::format("partial_rotary_factor {}: {} of {} numbers of a head",
                                         rope.partial, out.turned, out.head_dim()));
  const int64_t half = (out.turned > 0 ? out.turned : out.head_dim()) / 2;
  out.rope_theta = rope.theta * (stretched ? std::pow(rope.alpha, dim / (dim - 2)) : 1);
  out.mrope_section = rope.mrope_section;
  if (out.mrope_section.empty()) out.mrope_section = {half};
  const int64_t sum =
      std::accumulate(out.mrope_section.begin(), out.mrope_section.end(), int64_t{0});
  if (sum != half)
    throw_unsupported_config(
        fmt::format("mrope_section sums to {}, half of what turns of a head is {}", sum, half));
  return out;
}

DecoderLayer read_decoder_layer(const Qwen2Config& config, int64_t index, const std::string& at,
                                Weights& weights) {
  const int64_t d = config.hidden, head = config.head_dim(), wide = config.intermediate;
  const int64_t width = config.heads * head, kv = config.kv_heads * head;
  const auto norm = [&](const std::string& name, int64_t size) {
    return weights.norm(at + name, size, config.rms_eps);
  };
  const auto product = [&](const char* name, int64_t out, bool turns) {
    const Linear layer = weights.product(at + "self_attn." + name, d, out, config.qkv_bias);
    return turns && config.neighbours ? halves_of_neighbours(layer, head) : layer;
  };
  DecoderLayer out;
  out.attention_norm = norm("input_layernorm", d);
  out.mlp_norm = norm("post_attention_layernorm", d);
  out.q = product("q_proj", width, true);
  out.k = product("k_proj", kv, true);
  out.v = product("v_proj", kv, false);
  out.o = weights.product(at + "self_attn.o_proj", width, d);
  if (config.moe.in(index)) {
    out.moe.emplace(config.moe, d, weights, at + "mlp.");
  } else if (config.gate_up) {
    const Linear both = weights.product(at + "mlp.gate_up_proj", d, 2 * wide);
    out.gate = outputs_of(both, 0, wide);
    out.up = outputs_of(both, wide, wide);
  } else {
    out.gate = weights.product(at + "mlp.gate_proj", d, wide);
    out.up = weights.product(at + "mlp.up_proj", d, wide);
  }
  if (!out.moe) out.down = weights.product(at + "mlp.down_proj", wide, d);
  if (config.qk_norm) {
    out.q_norm = norm("self_attn." + config.q_norm, head);
    out.k_norm = norm("self_attn." + config.k_norm, head);
  }
  if (config.out_norms) {
    out.attention_out_norm = norm("post_self_attn_layernorm", d);
    out.mlp_out_norm = norm("post_mlp_layernorm", d);
  }
  return out;
}

}  // namespace docspec
