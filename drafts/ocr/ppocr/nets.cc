#include "drafts/ocr/ppocr/nets.h"

#include <ATen/ATen.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_map>

#include "core/base/error.h"
#include "core/model/checkpoint/checkpoint.h"
#include "core/ops/cpu/cpu_row_stats.h"
#include "core/ops/cpu/instruction_set.h"
#include "drafts/ocr/ppocr/fast_lines.h"

namespace docspec::ppocr {
namespace {

using Stride = std::vector<int64_t>;  // down, across

bool multiplies_bf16() {
  if (instruction_set() != InstructionSet::avx512) return false;
  return __builtin_cpu_supports("avx512bf16") || __builtin_cpu_supports("amx-bf16");
}

std::vector<std::string> read_characters(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::vector<std::string> out = {""};
  for (std::string line; std::getline(in, line);) out.push_back(line);
  out.push_back(" ");
  return out;
}

}  // namespace

/// Activations lie channels last, so that a 1 x 1 convolution is a product of rows.
struct Nets::Weights {
  Weights(const std::filesystem::path& folder, Precision precision)
      : type(precision == Precision::fastest && multiplies_bf16() ? at::kBFloat16 : at::kFloat) {
    const IntegerKind kind =
        precision == Precision::fastest ? fastest_integers() : IntegerKind::none;
    const Checkpoint checkpoint(folder);
    const nlohmann::json& config = checkpoint.config();
    if (config.value("model_type", "") != "docspec_ppocr")
      throw Error(ExitCode::dependency, folder.string() +
                                            "/config.json: is not PP-OCR as docspec reads it; run "
                                            "packaging/deps --ocr again");
    for (const TensorInfo& info : checkpoint.tensors()) {
      at::Tensor tensor = checkpoint.tensor(info.name);
      if (tensor.dim() == 4) tensor = tensor.contiguous(at::MemoryFormat::ChannelsLast);
      // The classes' logits decide on a character's confidence: they stay in f32.
      // Products in integers round weights once, from f32.
      const bool exact = info.name.starts_with("rec.head.") ||
                         (kind != IntegerKind::none &&
                          (info.name.starts_with("rec.") || info.name.starts_with("det.stem.")));
      tensors[info.name] = exact ? tensor : tensor.to(type);
    }
    for (const auto* net : {"det", "rec"})
      strides[net] = config.at(net).at("strides").get<std::vector<Stride>>();
    const auto weights_of = [&](const std::string& net) {
      return [this, net](const std::string& name) {
        const std::string whole = net + "." + name;
        const bool missing = name.ends_with("squeeze.weight") && !has(whole);  // some blocks' only
        return missing ? at::Tensor() : get(whole);
      };
    };
    if (kind != IntegerKind::none) {
      fast_lines.emplace(kind, weights_of("rec"), strides["rec"]);
      fast_detector_stem.emplace(kind, weights_of("det"));
    }
    // In int8 the detector's blocks would lose single letters, and would be little faster.
    if (kind == IntegerKind::int16)
      fast_detector_blocks = make_fast_blocks(kind, weights_of("det"), strides["det"]);
    characters = read_characters(folder / "characters.txt");
    if (std::ssize(characters) != get("rec.head.weight").size(0))
      throw Error(ExitCode::dependency,
                  (folder / "characters.txt").string() +
                      ": is missing or does not fit the weights; run packaging/deps --ocr again");
  }

  bool has(const std::string& name) const { return tensors.contains(name); }
  const at::Tensor& get(const std::string& name) const {
    const auto it = tensors.find(name);
    if (it != tensors.end()) return it->second;
    throw Error(ExitCode::dependency,
                "PP-OCR: its weights have no " + name + "; run packaging/deps --ocr again");
  }

  at::Tensor conv(const std::string& name, const at::Tensor& x, const Stride& stride = {1, 1},
                  const Stride& padding = {0, 0}) const {
    const at::Tensor &weight = get(name + ".weight"), &bias = get(name + ".bias");
    const int64_t groups = weight.size(1) == 1 ? weight.size(0) : 1;
    if (groups == 1 && weight.size(2) == 1 && weight.size(3) == 1)
      return at::linear(x.permute({0, 2, 3, 1}), weight.flatten(1), bias).permute({0, 3, 1, 2});
    return at::conv2d(x, weight, bias, stride, padding, {1, 1}, groups);
  }
  at::Tensor grow(const std::string& name, const at::Tensor& x) const {
    return at::conv_transpose2d(x, get(name + ".weight"), get(name + ".bias"), 2);
  }
  /// A weight of each channel of x, which its mean decides on. [SE-Net], hard sigmoid
  at::Tensor squeeze(const std::string& name, const at::Tensor& x, double slope) const {
    const at::Tensor mean = x.mean({2, 3}, true);
    const at::Tensor weight = conv(name + ".excite", conv(name + ".squeeze", mean).relu_());
    return weight.mul_(slope).add_(0.5).clamp_(0, 1);
  }

  at::Tensor stem(const std::string& net, const at::Tensor& image) const {
    const std::string name = net + ".stem.";
    const Stride half = {2, 2}, one = {1, 1};
    const auto padded = [](const at::Tensor& x) { return at::constant_pad_nd(x, {0, 1, 0, 1}); };
    const at::Tensor x = padded(conv(name + "1", image, half, one).relu_());
    const at::Tensor fine = conv(name + "2b", padded(conv(name + "2a", x).relu_())).relu_();
    const at::Tensor pairs = at::maximum(x.slice(2, 0, -1), x.slice(2, 1));
    const at::Tensor pooled = at::maximum(pairs.slice(3, 0, -1), pairs.slice(3, 1));
    const at::Tensor both = at::cat({pooled, fine}, 1);
    return conv(name + "4", conv(name + "3", both, half, one).relu_()).relu_();
  }

  /// Block i of a net: x [n, channels, h, w] channels last -> likewise.
  at::Tensor block(const std::string& net, size_t i, at::Tensor x) const {
    if (net == "det" && !fast_detector_blocks.empty()) {
      const at::Tensor rows = x.permute({0, 2, 3, 1}).contiguous();
      return fast_detector_blocks[i].run(rows).permute({0, 3, 1, 2});
    }
    const std::string name = net + ".blocks." + std::to_string(i);
    const Stride& stride = strides.at(net)[i];
    x = conv(name + ".token", x, stride, {1, 1});
    if (has(name + ".squeeze.weight")) x.mul_(squeeze(name, x, 1.0 / 6));
    at::Tensor wide = conv(name + ".expand", x);
    at::Tensor out = conv(name + ".reduce", at::gelu_(wide));
    const bool same = stride == Stride{1, 1} && out.size(1) == x.size(1);
    return same ? out.add_(x) : out;
  }

  /// Images as a network computes: [n, 3, h, w] channels last.
  at::Tensor input(const std::string& net, const at::Tensor& images) const {
    return images.to(get(net + ".stem.1.weight").scalar_type())
        .contiguous(at::MemoryFormat::ChannelsLast);
  }

  at::Tensor linear(const std::string& name, const at::Tensor& x) const {
    return at::linear(x, get(name + ".weight"), get(name + ".bias"));
  }
  at::Tensor norm(const std::string& name, const at::Tensor& x) const {
    return at::layer_norm(x, {x.size(-1)}, get(name + ".weight"), get(name + ".bias"), 1e-6);
  }
  /// x: [n, steps, channels].
  at::Tensor layer(const std::string& name, at::Tensor x) const {
    constexpr int64_t kHeads = 8;
    const int64_t n = x.size(0), steps = x.size(1), channels = x.size(2);
    const at::Tensor qkv = linear(name + ".qkv", norm(name + ".norm1", x))
                               .view({n, steps, 3, kHeads, channels / kHeads})
                               .permute({2, 0, 3, 1, 4});
    const at::Tensor seen = at::scaled_dot_product_attention(qkv[0], qkv[1], qkv[2]);
    x = x + linear(name + ".out", seen.transpose(1, 2).reshape({n, steps, channels}));
    return x + linear(name + ".down", at::silu(linear(name + ".up", norm(name + ".norm2", x))));
  }

  /// What the classes' logits are made of: [n, steps, channels] f32.
  at::Tensor line_features(const at::Tensor& lines) const;

  at::ScalarType type;
  std::unordered_map<std::string, at::Tensor> tensors;
  std::unordered_map<std::string, std::vector<Stride>> strides;
  std::optional<FastLines> fast_lines;          // none: by ATen
  std::optional<FastStem> fast_detector_stem;   // likewise
  std::vector<FastBlock> fast_detector_blocks;  // likewise
  std::vector<std::string> characters;
};

Nets::Nets(const std::filesystem::path& folder, Precision precision)
    : weights_(std::make_unique<Weights>(folder, precision)) {}
Nets::~Nets() = default;

const std::vector<std::string>& Nets::characters() const {
  return weights_->characters;
}

at::Tensor Nets::text_map(const at::Tensor& image) const {
  const at::InferenceMode inference;
  const Weights& w = *weights_;
  const auto grown = [](const at::Tensor& x, int64_t times) {
    return times == 1 ? x : at::upsample_nearest2d(x, {x.size(2) * times, x.size(3) * times});
  };
  const at::Tensor images = image.unsqueeze(0);
  at::Tensor x = w.fast_detector_stem
                     ? w.fast_detector_stem->run(images).to(w.type).permute({0, 3, 1, 2})
                     : w.stem("det", w.input("det", images));
  std::vector<at::Tensor> levels;  // of strides 4, 8, 16, 32
  const std::vector<Stride>& strides = w.strides.at("det");
  for (size_t i = 0; i < strides.size(); ++i) {
    if (strides[i] != Stride{1, 1}) levels.push_back(x);
    x = w.block("det", i, x);
  }
  levels.push_back(x);
  const auto squeezed = [&](const std::string& name, const at::Tensor& y) {
    return (y * w.squeeze(name, y, 0.2)).add_(y);
  };
  const auto name = [](size_t level) { return "det.neck." + std::to_string(level); };
  for (size_t i = levels.size(); i-- > 0;) {
    levels[i] = squeezed(name(i) + ".insert", w.conv(name(i) + ".insert", levels[i]));
    if (i + 1 < levels.size()) levels[i].add_(grown(levels[i + 1], 2));
  }
  std::vector<at::Tensor> maps;
  for (size_t i = levels.size(); i-- > 0;) {
    const at::Tensor wide = w.conv(name(i) + ".token", levels[i], {1, 1}, {3, 3});
    const std::string channel = name(i) + ".channel";
    maps.push_back(grown(squeezed(channel, w.conv(channel, wide)), int64_t{1} << i));
  }
  x = w.conv("det.head.down", at::cat(maps, 1), {1, 1}, {1, 1}).relu_();
  x = w.grow("det.head.final", w.grow("det.head.up", x).relu_());
  return x.to(at::kFloat).sigmoid_().select(0, 0).select(0, 0).contiguous();
}

at::Tensor Nets::Weights::line_features(const at::Tensor& lines) const {
  const Weights& w = *this;
  at::Tensor x = w.stem("rec", w.input("rec", lines));
  for (size_t i = 0; i < w.strides.at("rec").size(); ++i) x = w.block("rec", i, x);
  x = at::avg_pool2d(x, {3, 2}, {3, 2});
  const at::Tensor skip = at::silu(w.conv("rec.neck.skip", x));
  x = at::silu(w.conv("rec.neck.reduce", x));
  x = x + at::silu(w.conv("rec.neck.local", x, {1, 1}, {0, 3}));
  const auto rows = [](const at::Tensor& y) { return y.select(2, 0).transpose(1, 2).contiguous(); };
  x = rows(x);
  for (const auto* name : {"rec.layers.0", "rec.layers.1"}) x = w.layer(name, x);
  return (w.norm("rec.norm", x) + rows(skip)).to(at::kFloat);
}

at::Tensor Nets::logits(const at::Tensor& lines) const {
  const at::InferenceMode inference;
  return weights_->linear("rec.head", weights_->line_features(lines));
}

std::vector<StepChoice> Nets::best_classes(const at::Tensor& lines) const {
  const at::InferenceMode inference;
  if (weights_->fast_lines) return weights_->fast_lines->best_classes(lines);
  const at::Tensor all = logits(lines).flatten(0, 1).contiguous();
  std::vector<StepChoice> out;
  for (int64_t i = 0; i < all.size(0); ++i) {
    const CpuRowStats stats = cpu_row_stats(all[i].const_data_ptr<float>(), all.size(1));
    out.push_back({stats.argmax, std::exp(double(stats.top) - stats.logsumexp)});
  }
  return out;
}

}  // namespace docspec::ppocr
