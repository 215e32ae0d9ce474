#include "core/model/trunk/qwen2_decoder.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <array>
#include <numeric>
#include <stdexcept>

#include "core/model/checkpoint/config_reader.h"
#include "core/model/checkpoint/weights.h"
#include "core/model/draft_tree.h"
#include "core/ops/cpu/cpu_linear.h"
#include "core/ops/flops.h"
#include "core/ops/transfer.h"

namespace docspec {
namespace {

at::Tensor pad_rows(const at::Tensor& x, int64_t rows) {  // [n, ...] -> [rows, ...]
  if (x.size(0) == rows) return x;
  auto shape = x.sizes().vec();
  shape[0] = rows - x.size(0);
  return at::cat({x, at::zeros(shape, x.options())});
}

/// The rotary axis of each frequency; if the second half of a head differs, its axes follow those
/// of the first. If interleaved, an axis that has had its share is followed by the temporal one.
std::vector<int> frequency_axes(const Qwen2Config& config) {
  const std::vector<int64_t>& section = config.mrope_section;
  std::vector<int> out;
  for (size_t i = 0; i < section.size(); ++i)
    out.insert(out.end(), size_t(section[i] * (config.split_head ? 2 : 1)), int(i));
  if (!config.interleaved || section.size() != 3) return out;
  for (size_t i = 0; i < out.size(); ++i) out[i] = int64_t(i / 3) < section[i % 3] ? int(i % 3) : 0;
  return out;
}

}  // namespace

Qwen2Decoder::Qwen2Decoder(const Qwen2Config& config, Weights& weights, const std::string& prefix,
                           const Ops& ops, NoLayers)
    : config_(config),
      ops_(ops),
      frequencies_(rotary_frequencies(config.rope_theta,
                                      config.turned > 0 ? config.turned : config.head_dim())) {
  const int64_t d = config.hidden;
  const std::string embedding =
      config.embedding.empty() ? prefix + "embed_tokens" : config.embedding;
  embedding_ = weights.get(embedding + ".weight", {config.vocab, d});
  norm_ = weights.norm(prefix + config.last_norm, d, config.rms_eps);
  // A stored head wins over tie_word_embeddings, as in the reference.
  const bool own_head = !config.tied || weights.checkpoint().has(config.head + ".weight");
  head_ = own_head ? weights.head(config.head, d, config.vocab) : weights.tied_head(embedding_);
  table_ = weights.table(embedding, embedding_, own_head ? Linear{} : head_);
  frequency_axis_ = frequency_axes(config);
  const auto half = frequency_axis_.begin() + int64_t(frequencies_.size());
  second_axis_.assign(half, frequency_axis_.end());
  frequency_axis_.erase(half, frequency_axis_.end());
  frequencies_.resize(size_t(config.head_dim() / 2), 0.0f);  // the others turn by 0
  frequency_axis_.resize(frequencies_.size(), 0);
}

Qwen2Decoder::Qwen2Decoder(const Qwen2Config& config, Weights& weights, const std::string& prefix,
                           const Ops& ops)
    : Qwen2Decoder(config, weights, prefix, ops, NoLayers{}) {
  if (config.turned != 0 && config.turned != config.head_dim())
    throw_unsupported_config("partial_rotary_factor is not supported in this family");
  for (int64_t i = 0; i < config.layers; ++i)
    layers_.push_back(read_decoder_layer(
        config, i, fmt::format("{}layers.{}.", prefix, config.first_layer + i), weights));
}

void Qwen2Decoder::finish() {
  graph_cache_ = ops_.graph_cache(embedding_);
  if (embedding_.is_cuda() || graph_cache_)  // one product instead of three, or two
    for (DecoderLayer& layer : layers_) {
      join(std::array{&layer.q, &layer.k, &layer.v});
      if (!layer.moe) join(std::array{&layer.gate, &layer.up});
    }
  if (ops_.linear_is_batch_invariant(embedding_)) {
    padding_ = {1, true};
    return;
  }
  padding_ = find_row_padding(checks(), embedding_.is_cuda() ? kProductRows : 8);
  if (records()) record_passes();
}

/// Passes over a cache of their own, so that those of the first page are played.
void Qwen2Decoder::record_passes() const {
  for (const int64_t rows : graph_cache_->rows_at_load()) {
    DraftTree tree(0);
    tree.insert(std::vector<int32_t>(size_t(rows - 1), 0), 0, 1, size_t(rows));
    const auto cache = new_cache();
    const SequenceInput job{&tree, cache.get()};
    forward(std::span(&job, 1), {});
  }
}

/// The steps of a pass over its rows, in their order.
std::vector<RowCheck> Qwen2Decoder::checks() const {
  const at::Tensor like = ops_.to_compute_dtype(embedding_.narrow(0, 0, 1));
  std::vector<RowCheck> out;
  const auto add = [&](std::vector<const Linear*> layers) {
    out.push_back(check_of_product(
        layers[0]->weight.size(1), like,
        [this, layers](const at::Tensor& x, int64_t) { return ops_.linear(x, layers); }));
  };
  const DecoderLayer &first = layers_.front(), &last = layers_.back();
  add({&first.q, &first.k, &first.v});
  add({&first.o});
  if (!first.moe) {
    add({&first.gate, &first.up});
    add({&first.down});
  }
  if (last.moe)
    out.push_back(check_of_product(config_.hidden, like,
                                   [this, &last](const at::Tensor& x, int64_t multiple) {
                                     return (*last.moe)(ops_, x, multiple);
                                   }));
  out.push_back(check_of_product(config_.hidden, like, [this](const at::Tensor& x, int64_t) {
    return ops_.logits(x, head_);
  }));
  out.push_back(
      check_of_attention(ops_, config_.heads, config_.kv_heads, config_.head_dim(), embedding_));
  return out;
}

TrunkBytes Qwen2Decoder::bytes(c10::Device place) const {
  constexpr int64_t kFloats = 4;
  // Of caches; working rows on a GPU, of the model's numbers too, are counted as f32 all the same.
  const int64_t number = place.is_cuda() ? int64_t(embedding_.element_size()) : kFloats;
  const MoeConfig& moe = config_.moe;
  const int64_t widest =
      std::max(config_.intermediate, (moe.chosen + moe.shared) * moe.intermediate);
  const int64_t rows_of_mlp = 6 * widest, logits = 3 * config_.vocab;
  return {2 * config_.layers * config_.kv_heads * config_.head_dim() * number,
          (rows_of_mlp + logits) * kFloats,
          3 * config_.heads * kFloats,  // scores, their exponentials, a copy
          place.is_cuda()};
}

std::unique_ptr<LayeredKvCache> Qwen2Decoder::new_cache() const {
  return std::make_unique<LayeredKvCache>(ops_, config_.layers, config_.kv_heads,
                                          config_.head_dim(), embedding_);
}

void Qwen2Decoder::check(std::span<const int32_t> ids) const {
  for (int32_t id : ids)
    if (id < 0 || id >= config_.vocab)
      throw std::invalid_argument(fmt::format("token {} is outside the vocabulary", id));
}

at::Tensor Qwen2Decoder::embed(std::span<const int32_t> ids) const {
  check(ids);
  const at::Tensor index = at::tensor(at::ArrayRef<int32_t>(ids.data(), ids.size()), at::kInt);
  if (!table_.weight.defined())
    return embedding_.index_select(0, send_to_device(index, embedding_.device()));
  const at::Tensor rows = table_.weight.index_select(0, index);
  return (rows * table_.scale.index_select(0, index).unsqueeze(1)).to(embedding_.scalar_type());
}

/// On the host, as Ops::rotary takes them: those of the second half of a head where it has its own.
at::Tensor Qwen2Decoder::angles(std::span<const int64_t> positions, int64_t rows) const {
  const auto half = int64_t(frequencies_.size());
  at::Tensor out = at::empty({rows, second_axis_.empty() ? half : 2 * half}, at::kFloat);
  auto* angle = out.mutable_data_ptr<float>();
  for (int64_t row = 0; row < rows; ++row)
    for (const std::vector<int>* axis : {&frequency_axis_, &second_axis_})
      for (size_t i = 0; i < axis->size(); ++i)
        *angle++ = float(positions[size_t((*axis)[i] * rows + row)]) * frequencies_[i];
  return out;
}

Rotary Qwen2Decoder::rotary(std::span<const int64_t> positions, int64_t rows) const {
  return ops_.rotary(send_to_device(angles(positions, rows), embedding_.device()),
                     config_.head_dim());
}

/// Like Ops::rotate_append, with norms over the heads of q and k before the rotation or after it.
at::Tensor Qwen2Decoder::norm_append(const DecoderLayer& layer, const at::Tensor& qkv,
                                     const Rotary& rotary, std::span<const CacheRows> caches,
                                     const AttentionPlan& plan) const {
  const int64_t dim = config_.head_dim();
  const auto parts = qkv.view({qkv.size(0), -1, dim})
                         .split_with_sizes({config_.heads, config_.kv_heads, config_.kv_heads}, 1);
  const auto normed = [&](const at::Tensor& x, const RmsNorm& norm) {
    return ops_.rms_norm(x.reshape({-1, dim}), norm.weight, norm.eps).view(x.sizes());
  };
  if (config_.norm_turned) {
    append_rows(normed(ops_.rotate(parts[1], rotary), layer.k_norm), parts[2], caches);
    return normed(ops_.rotate(parts[0], rotary), layer.q_norm);
  }
  const at::Tensor all =
      at::cat({normed(parts[0], layer.q_norm), normed(parts[1], layer.k_norm), parts[2]}, 1);
  return ops_.rotate_append(all.view(qkv.sizes()), config_.heads, config_.kv_heads, rotary, caches,
                            plan);
}

at::Tensor Qwen2Decoder::attend(const DecoderLayer& layer, int64_t index, const at::Tensor& x,
                                const Rotary& rotary, std::span<const SequenceRows> jobs,
                                AttentionViews& view) const {
  const int64_t rows = rotary.cos.size(0);
  const at::Tensor qkv =
      ops_.linear(x, std::array{&layer.q, &layer.k, &layer.v}).narrow(0, 0, rows);
  std::vector<CacheRows> caches;
  for (const SequenceRows& job : jobs) caches.push_back(job.cache->rows(index));
  const at::Tensor q =
      layer.q_norm.weight.defined()
          ? norm_append(layer, qkv, rotary, caches, view.plan())
          : ops_.rotate_append(qkv, config_.heads, config_.kv_heads, rotary, caches, view.plan());
  const at::Tensor out =
      ops_.attention(q, caches, view.plan(), view.attention_weights()).view({rows, -1});
  return ops_.linear(pad_rows(out.to(x.scalar_type()), x.size(0)), std::array{&layer.o});
}

at::Tensor Qwen2Decoder::run(at::Tensor x, const Rotary& rotary, std::span<const SequenceRows> jobs,
                             AttentionViews& view) const {
  const auto further = x.split(config_.hidden, 1);
  x = ops_.to_compute_dtype(further[0].contiguous());
  at::Tensor more;  // to be added to x later
  const auto normed = [&](const RmsNorm& norm) {
    return more.defined() ? ops_.add_norm(x, more, norm.weight, norm.eps)
                          : ops_.rms_norm(x, norm.weight, norm.eps);
  };
  const auto norm_out = [&](const RmsNorm& norm) {
    if (norm.weight.defined()) more = ops_.rms_norm(more, norm.weight, norm.eps);
  };
  for (size_t i = 0; i < layers_.size(); ++i) {
    const DecoderLayer& layer = layers_[i];
    view.enter(i);
    more = attend(layer, int64_t(i), normed(layer.attention_norm), rotary, jobs, view);
    view.leave(i);
    norm_out(layer.attention_out_norm);
    const at::Tensor inner = normed(layer.mlp_norm);
    if (layer.moe) {
      more = (*layer.moe)(ops_, inner, view.shape().row_multiple);
    } else {
      const at::Tensor gate_up = ops_.linear(inner, std::array{&layer.gate, &layer.up});
      more = ops_.linear(ops_.swiglu(gate_up), std::array{&layer.down});
    }
    norm_out(layer.mlp_out_norm);
    if (i + 1 < further.size()) {
      x = x + more;
      more = further[i + 1];
    }
  }
  const at::Tensor out = normed(norm_);  // x is the sum now
  keep_hidden(x, jobs);
  return out;
}

void Qwen2Decoder::keep_hidden(const at::Tensor& x, std::span<const SequenceRows> jobs) {
  int64_t row = 0;
  for (const SequenceRows& job : jobs) {
    const auto rows = int64_t(job.attention.parent.size());
    if (job.cache->keep_hidden) job.cache->set_hidden(x.narrow(0, row, rows).clone());
    row += rows;
  }
}

at::Tensor Qwen2Decoder::predict(const at::Tensor& rows) const {
  return ops_.logits(ops_.rms_norm(ops_.to_compute_dtype(rows), norm_.weight, norm_.eps), head_);
}

void Qwen2Decoder::count_flops(const SequenceRows& job) const {
  const auto rows = int64_t(job.attention.parent.size());
  int64_t text = 0;  // keys that are no visual rows: the row's ancestors and itself, too
  for (const int32_t depth : job.attention.depth)
    text += job.cache->length() - (job.cache->visual_end - job.cache->visual_begin) + depth + 1;
  const auto flops = [&](int64_t visual) {
    return attention_flops(config_.layers, config_.hidden, rows, config_.layers * text + visual);
  };
  job.visual_stats->flops = flops(job.visual_stats->keys);
  job.visual_stats->all_flops = flops(job.visual_stats->all_keys);
}

/// Whether the device's part of a plain pass is the same for all of its shape.
bool Qwen2Decoder::records() const {
  return graph_cache_ && config_.window == 0 && !layers_.back().moe &&
         !(config_.qk_norm && config_.norm_turned);
}

/// Whether this one is as plain as that.
bool Qwen2Decoder::recordable(std::span<const SequenceRows> jobs) const {
  return records() && std::none_of(jobs.begin(), jobs.end(), [](const SequenceRows& job) {
           return job.fixation || job.cache->keep_hidden || job.cache->pages().empty();
         });
}

at::Tensor Qwen2Decoder::forward(std::span<const SequenceInput> jobs,
                                 const ForwardOptions& options) const {
  std::vector<SequenceRows> rows;
  std::vector<int32_t> ids;
  std::vector<int64_t> positions;
  for (const SequenceInput& job : jobs) {
    auto* cache = dynamic_cast<LayeredKvCache*>(job.cache);
    if (!cache) throw std::invalid_argument("Qwen2Decoder::forward: a cache of another model");
    if (job.fixation && int64_t(job.fixation->layers.size()) != config_.layers)
      throw std::invalid_argument("Qwen2Decoder::forward: a fixation of another model");
    const DraftTree& tree = *job.tree;
    ids.insert(ids.end(), tree.token().begin(), tree.token().end());
    for (int32_t depth : tree.depth())
      positions.push_back(cache->length() + cache->rope_delta + depth);
    rows.push_back({cache,
                    {cache->length(), tree.parent(), tree.depth()},
                    job.fixation,
                    job.visual_stats,
                    config_.window});
    cache->begin_pass(int64_t(tree.rows()));
  }
  const int64_t n = int64_t(ids.size());
  BatchLayout shape{options.padded ? padding_.multiple : 1, config_.heads / config_.kv_heads};
  if (recordable(rows)) shape.rows = GraphCache::rows(n, shape.row_multiple);
  positions.resize(size_t(std::max(n, shape.rows)), 0);
  std::vector<int64_t> axes;  // text: the same position on each axis
  for (int axis = 0; axis < kMostRopeAxes; ++axis)
    axes.insert(axes.end(), positions.begin(), positions.end());
  AttentionViews view(ops_, rows, shape, embedding_);
  if (shape.rows > 0) {
    check(ids);
    at::Tensor padded = at::zeros({shape.rows}, at::kInt);
    std::copy(ids.begin(), ids.end(), padded.mutable_data_ptr<int32_t>());
    const auto pass = [&](const at::Tensor& tokens, const at::Tensor& turned) {
      const Rotary rotary = ops_.rotary(turned, config_.head_dim());
      return ops_.logits(run(embedding_.index_select(0, tokens), rotary, rows, view), head_);
    };
    return graph_cache_->run(padded, angles(axes, shape.rows), view.plan(), pass).narrow(0, 0, n);
  }
  const at::Tensor x = pad_rows(embed(ids), round_up(n, shape.row_multiple));
  const at::Tensor out = run(x, rotary(axes, n), rows, view);
  for (const SequenceRows& job : rows)
    if (job.fixation) count_flops(job);
  return ops_.logits(out, head_).narrow(0, 0, n);
}

void Qwen2Decoder::prefill(LayeredKvCache& cache, const at::Tensor& embeds,
                           std::span<const int64_t> positions) const {
  const int64_t rows = embeds.size(0), most = prefill_rows();
  const auto axes = int64_t(positions.size()) / std::max<int64_t>(1, rows);
  std::vector<int32_t> kept(size_t(std::min(rows, most)));
  std::iota(kept.begin(), kept.end(), 0);
  std::vector<int32_t> parent(kept);
  for (int32_t& row : parent) --row;
  const BatchLayout shape{padding_.multiple, config_.heads / config_.kv_heads};
  for (int64_t first = 0; first < rows; first += most) {
    const auto n = size_t(std::min(most, rows - first));
    std::vector<int64_t> part;
    for (int64_t axis = 0; axis < axes; ++axis) {
      const auto from = positions.begin() + axis * rows + first;
      part.insert(part.end(), from, from + int64_t(n));
    }
    const std::span<const int32_t> chain = std::span<const int32_t>(kept).first(n);
    const SequenceRows job{&cache, {cache.length(), std::span(parent).first(n), chain}};
    cache.begin_pass(int64_t(n));
    AttentionViews view(ops_, std::span(&job, 1), shape, embedding_);
    const at::Tensor x =
        pad_rows(embeds.narrow(0, first, int64_t(n)), round_up(int64_t(n), padding_.multiple));
    run(x, rotary(part, int64_t(n)), std::span(&job, 1), view);
    cache.commit(chain);
  }
}

}  // namespace docspec
