#include "drafts/detector/line_net.h"

#include <ATen/ATen.h>

#include <map>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>

#include "core/base/error.h"
#include "core/base/no_teams.h"
#include "core/model/checkpoint/checkpoint.h"
#include "drafts/detector/line_features.h"

namespace docspec {
namespace {

constexpr int64_t kHeight = 384, kWidth = 288;  // of the view
constexpr int64_t kHeads = 4;
constexpr int64_t kPoints = 7, kRows = 3;  // where a line looks at the view

/// Ink of the page, shrunk to the view: [1, 1, kHeight, kWidth] f32, 0 paper and 1 ink.
at::Tensor view_of(const PageImage* image) {
  if (!image || image->empty()) return at::zeros({1, 1, kHeight, kWidth});
  at::Tensor gray = at::empty({1, 1, image->height_px(), image->width_px()});
  float* to = gray.data_ptr<float>();
  for (int y = 0; y < image->height_px(); ++y) {
    const uint8_t* rgb = image->row(y);
    for (int x = 0; x < image->width_px(); ++x, rgb += 3)
      *to++ = 1 - float((rgb[0] * 77 + rgb[1] * 151 + rgb[2] * 28) >> 8) / 255;
  }
  return at::adaptive_avg_pool2d(gray, {kHeight, kWidth});
}

/// Boxes as shares of the page, [n, 4] f32.
at::Tensor shares(const PageInput& page, const std::vector<TextLine>& lines) {
  at::Tensor boxes = at::empty({int64_t(lines.size()), 4});
  float* to = boxes.data_ptr<float>();
  for (const TextLine& line : lines) {
    *to++ = float(line.box.x0) / float(page.width_px);
    *to++ = float(line.box.y0) / float(page.height_px);
    *to++ = float(line.box.x1) / float(page.width_px);
    *to++ = float(line.box.y1) / float(page.height_px);
  }
  return boxes;
}

/// Points around each line in the coordinates of grid_sample, [1, n * kRows, kPoints, 2].
at::Tensor points_around(const at::Tensor& boxes) {
  const int64_t n = boxes.size(0);
  const at::Tensor x0 = boxes.select(1, 0), y0 = boxes.select(1, 1), x1 = boxes.select(1, 2),
                   y1 = boxes.select(1, 3);
  const at::Tensor share = (at::arange(kPoints, at::kFloat) + 0.5) / kPoints;
  const at::Tensor x = x0.unsqueeze(1) + (x1 - x0).unsqueeze(1) * share;
  const at::Tensor middle = (y0 + y1) / 2, high = (y1 - y0) * 1.2;
  const at::Tensor rows = at::stack({middle - high, middle, middle + high}, 1);
  return (at::stack({x.unsqueeze(1).expand({n, kRows, kPoints}),
                     rows.unsqueeze(2).expand({n, kRows, kPoints})},
                    -1) *
              2 -
          1)
      .reshape({1, n * kRows, kPoints, 2});
}

/// The tensors by their names in the checkpoint.
struct LineNetWeights {
  explicit LineNetWeights(const std::filesystem::path& folder) : checkpoint(folder) {
    const auto& config = checkpoint.config();
    if (config.value("model_type", "") != "docspec_layout" ||
        config.value("features", 0) != kLineFeatures)
      throw Error(ExitCode::dependency, folder.string() +
                                            "/config.json: is no layout net of this version; "
                                            "install docspec's share folder again");
    for (const TensorInfo& info : checkpoint.tensors())
      tensors[info.name] = checkpoint.tensor(info.name).to(at::kFloat);  // kept as halves
    while (has("layers." + std::to_string(layers) + ".qkv.weight")) ++layers;
    if (layers == 0) checkpoint.tensor("layers.0.qkv.weight");  // throws, naming it
  }

  bool has(const std::string& name) const { return tensors.contains(name); }
  const at::Tensor& get(const std::string& name) const {
    const auto it = tensors.find(name);
    if (it == tensors.end()) checkpoint.tensor(name);  // throws, naming it
    return it->second;
  }
  at::Tensor linear(const std::string& name, const at::Tensor& x) const {
    return at::linear(x, get(name + ".weight"), get(name + ".bias"));
  }
  at::Tensor norm(const std::string& name, const at::Tensor& x) const {
    return at::layer_norm(x, {x.size(-1)}, get(name + ".weight"), get(name + ".bias"));
  }
  at::Tensor conv(const std::string& name, const at::Tensor& x, int64_t stride, int64_t padding,
                  int64_t dilation = 1) const {
    return at::relu(
        at::conv2d(x, get(name + ".weight"), get(name + ".bias"), stride, padding, dilation));
  }

  /// [1, channels, kHeight / 4, kWidth / 4].
  at::Tensor picture(const at::Tensor& view) const {
    const auto grown = [](const at::Tensor& x, const at::Tensor& like) {
      return at::upsample_nearest2d(x, {like.size(2), like.size(3)});
    };
    const at::Tensor fine = conv("fine", conv("stem", view, 2, 2), 2, 1);
    at::Tensor coarse = conv("coarse", fine, 2, 1);
    const at::Tensor wide = conv("context", conv("wide", coarse, 2, 1), 1, 2, 2);
    coarse = coarse + grown(wide, coarse);
    return conv("lateral", fine, 1, 0) + grown(coarse, fine);
  }

  at::Tensor layer(const std::string& name, at::Tensor x) const {
    const int64_t n = x.size(0), d = x.size(1);
    const at::Tensor qkv = linear(name + ".qkv", norm(name + ".norm1", x))
                               .view({n, 3, kHeads, d / kHeads})
                               .permute({1, 2, 0, 3});
    const at::Tensor seen = at::scaled_dot_product_attention(
        qkv[0].unsqueeze(0), qkv[1].unsqueeze(0), qkv[2].unsqueeze(0))[0];
    x = x + linear(name + ".out", seen.transpose(0, 1).reshape({n, d}));
    return x + linear(name + ".down", at::gelu(linear(name + ".up", norm(name + ".norm2", x))));
  }

  /// Logits [n, categories].
  at::Tensor logits(const at::Tensor& lines, const at::Tensor& boxes,
                    const at::Tensor& view) const {
    const int64_t n = lines.size(0);
    const at::Tensor sampled = at::grid_sampler(picture(view), points_around(boxes),
                                                /*interpolation_mode=*/0, /*padding_mode=*/1,
                                                /*align_corners=*/false)[0];
    const at::Tensor seen =
        sampled.mean(2).view({-1, n, kRows}).permute({1, 2, 0}).reshape({n, -1});
    const double pi = std::numbers::pi;
    const at::Tensor angles = at::cat({boxes * (2 * pi), boxes * (6 * pi)}, 1);
    at::Tensor x =
        linear("embed", at::cat({lines, angles.sin(), angles.cos()}, 1)) + linear("look", seen);
    for (int i = 0; i < layers; ++i) x = layer("layers." + std::to_string(i), x);
    return linear("head", norm("norm", x));
  }

  Checkpoint checkpoint;
  std::map<std::string, at::Tensor> tensors;
  int layers = 0;
};

class TensorNet : public LineNet {
 public:
  explicit TensorNet(const std::filesystem::path& folder) : weights_(folder) {}

  std::vector<KindScores> scores(const PageInput& page, const std::vector<TextLine>& lines,
                                 double body_px) const override {
    std::vector<KindScores> out(lines.size());
    if (lines.empty()) return out;
    const NoTeams no_teams;
    const auto features = line_features(lines, page.words, body_px, page.width_px, page.height_px);
    at::Tensor rows = at::empty({int64_t(lines.size()), kLineFeatures});
    std::copy_n(features.front().data(), features.size() * kLineFeatures, rows.data_ptr<float>());
    const at::Tensor found =
        at::log_softmax(weights_.logits(rows, shares(page, lines), view_of(page.image)), 1)
            .contiguous();
    for (size_t i = 0; i < lines.size(); ++i)
      std::copy_n(found.data_ptr<float>() + i * out[i].size(), out[i].size(), out[i].begin());
    return out;
  }

 private:
  LineNetWeights weights_;
};

}  // namespace

std::unique_ptr<LineNet> make_line_net(const std::filesystem::path& folder) {
  return std::make_unique<TensorNet>(folder);
}

}  // namespace docspec
