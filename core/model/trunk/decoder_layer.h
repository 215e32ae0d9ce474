#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/model/trunk/moe.h"
#include "core/ops/layers.h"

namespace docspec {

class ConfigReader;
class Weights;

struct Qwen2Config {
  int64_t vocab = 0, hidden = 0, intermediate = 0, layers = 0, heads = 0, kv_heads = 0;
  double rms_eps = 1e-6, rope_theta = 1e6;
  /// Frequencies turned by the temporal, height and width position, in this order; they sum to
  /// head_dim / 2. HunYuan's four: index, column, row and number of the image.
  std::vector<int64_t> mrope_section;
  bool tied = false;             ///< the head is the embedding table
  std::string head = "lm_head";  ///< name of the head where it is stored
  // Of a layer after the others (mtp_layer.h):
  std::string embedding;           ///< name of the embeddings; empty = `prefix`embed_tokens
  int64_t first_layer = 0;         ///< number of the first of `layers` in the tensors' names
  std::string last_norm = "norm";  ///< name of the norm before the head
  // Differences of Qwen3:
  int64_t head_size = 0;     ///< of one head; 0 = hidden / heads
  bool qkv_bias = true;      ///< q, k, v have biases
  bool qk_norm = false;      ///< an RMSNorm over each head of q and k, before they turn
  bool interleaved = false;  ///< frequencies take axes in turn (0, 1, 2, 0, ...), not by section
  // Differences of HunYuan:
  std::string q_norm = "q_norm", k_norm = "k_norm";  ///< names of these norms
  bool norm_turned = false;  ///< the norms of q and k come after the rotation
  bool split_head = false;   ///< sections are shares of the whole head, not of each half of it
  MoeConfig moe;             ///< DeepSeek's
  // Differences of GLM-OCR:
  bool out_norms = false;   ///< RMSNorms of what attention and MLP add: post_self_attn, post_mlp
  bool gate_up = false;     ///< gate and up are one stored product
  bool neighbours = false;  ///< numbers 2i and 2i + 1 of a head turn together, not i and i + half
  // Difference of Unlimited-OCR: so many rows of its path, with itself, a row sees after the
  // prompt; 0 = all.
  int64_t window = 0;
  // Difference of Qwen3.5:
  int64_t turned = 0;  ///< numbers of a head that turn, the first of each half; 0 = all

  int64_t head_dim() const { return head_size > 0 ? head_size : hidden / heads; }
  /// Throws Error(dependency) naming the key that is missing or does not fit the others.
  static Qwen2Config read(const ConfigReader& config);
};

/// One layer of the trunk.
struct DecoderLayer {
  RmsNorm attention_norm, mlp_norm;
  Linear q, k, v, o, gate, up, down;
  RmsNorm q_norm, k_norm;                    // without weight where there is none
  RmsNorm attention_out_norm, mlp_out_norm;  // likewise
  std::optional<Moe> moe;                    // instead of gate, up, down
};

/// Reads `at`input_layernorm, `at`self_attn, `at`mlp and what else the config asks for. `index`: of
/// the layer, for experts.
DecoderLayer read_decoder_layer(const Qwen2Config& config, int64_t index, const std::string& at,
                                Weights& weights);

}  // namespace docspec
