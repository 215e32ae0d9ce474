#include "drafts/detector/pico_det.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/base/error.h"
#include "core/base/no_teams.h"
#include "core/model/checkpoint/checkpoint.h"
#include "drafts/detector/net_image.h"
#include "drafts/detector/net_steps.h"
#include "drafts/detector/region_names.h"

namespace docspec {
namespace {

/// A box with one class, in pixels of the net's image.
struct PicoBox {
  float x0, y0, x1, y1, score;
};

float overlap(const PicoBox& a, const PicoBox& b) {
  const auto area = [](float x0, float y0, float x1, float y1) {
    return std::max(0.0f, x1 - x0) * std::max(0.0f, y1 - y0);
  };
  const float both =
      area(std::max(a.x0, b.x0), std::max(a.y0, b.y0), std::min(a.x1, b.x1), std::min(a.y1, b.y1));
  return both / (area(a.x0, a.y0, a.x1, a.y1) + area(b.x0, b.y0, b.x1, b.y1) - both + 1e-5f);
}

/// The best boxes of a class, without those that share half with a better one.
std::vector<PicoBox> keep_best(std::vector<PicoBox> boxes) {
  constexpr size_t kCandidates = 200, kMost = 100;
  constexpr float kSame = 0.5f;
  std::stable_sort(boxes.begin(), boxes.end(),
                   [](const PicoBox& a, const PicoBox& b) { return a.score > b.score; });
  boxes.resize(std::min(boxes.size(), kCandidates));
  std::vector<PicoBox> kept;
  for (const PicoBox& box : boxes)
    if (kept.size() < kMost && std::none_of(kept.begin(), kept.end(), [&](const PicoBox& better) {
          return overlap(box, better) > kSame;
        }))
      kept.push_back(box);
  return kept;
}

class PicoDet : public PageNet {
 public:
  explicit PicoDet(const Checkpoint& checkpoint) {
    const nlohmann::json& config = checkpoint.config();
    const std::string file = (checkpoint.folder() / "config.json").string();
    try {
      height_ = config.at("height"), width_ = config.at("width");
      mean_ = config.at("mean").get<std::vector<double>>();
      std_ = config.at("std").get<std::vector<double>>();
      strides_ = config.at("strides").get<std::vector<int64_t>>();
      heads_ = config.at("heads").get<std::vector<size_t>>();
      kinds_ = region_kinds(config.at("labels").get<std::vector<std::string>>(), file);
      steps_.emplace(config.at("steps"), checkpoint);
      for (const size_t head : heads_)
        if (head >= steps_->size()) throw std::out_of_range("a head is no step");
      if (heads_.size() != strides_.size()) throw std::out_of_range("heads and strides differ");
    } catch (const std::exception& e) {
      refuse_net(checkpoint, e);
    }
  }

  std::vector<FoundRegion> find(const PageImage& image) const override {
    const NoTeams no_teams;
    const at::Tensor pixels = net_image(image, height_, width_, Resize::plain);
    // As rapid_layout: red and blue are changed over, and mean and deviation are not.
    const at::Tensor input = centred(pixels.flip({0}) / 255, mean_, std_)
                                 .unsqueeze(0)
                                 .contiguous(at::MemoryFormat::ChannelsLast);
    const std::vector<at::Tensor> outputs = steps_->run(input);
    std::vector<std::vector<PicoBox>> boxes(kinds_.size());
    for (size_t level = 0; level < heads_.size(); ++level)
      add_boxes(outputs[heads_[level]][0], strides_[level], boxes);
    std::vector<FoundRegion> found;
    const double across = double(image.width_px()) / double(width_),
                 down = double(image.height_px()) / double(height_);
    for (size_t i = 0; i < kinds_.size(); ++i)
      for (const PicoBox& box : keep_best(std::move(boxes[i])))
        if (kinds_[i])
          found.push_back({*kinds_[i],
                           intersect({int(box.x0 * across + 0.5), int(box.y0 * down + 0.5),
                                      int(box.x1 * across + 0.5), int(box.y1 * down + 0.5)},
                                     {0, 0, image.width_px(), image.height_px()}),
                           box.score});
    return found;
  }

 private:
  /// head: [classes + 4 * bins, rows, columns]. A side's distance from the point is the mean of
  /// its bins. [gfl]
  void add_boxes(const at::Tensor& head, int64_t stride,
                 std::vector<std::vector<PicoBox>>& boxes) const {
    constexpr float kLeastScore = 0.4f;
    const int64_t classes = std::ssize(boxes), columns = head.size(2), n = head.size(1) * columns;
    const at::Tensor flat = head.reshape({head.size(0), n});
    const at::Tensor scores = flat.slice(0, 0, classes).sigmoid().contiguous();
    const int64_t bins = (head.size(0) - classes) / 4;
    const at::Tensor shares = flat.slice(0, classes).view({4, bins, n}).softmax(1);
    const at::Tensor sides =
        ((shares * at::arange(bins, at::kFloat).view({1, bins, 1})).sum(1) * stride).contiguous();
    const float* const side = sides.data_ptr<float>();
    for (int64_t c = 0; c < classes; ++c)
      for (int64_t i = 0; i < n; ++i) {
        const float score = scores.data_ptr<float>()[c * n + i];
        if (score <= kLeastScore) continue;
        const float x = (float(i % columns) + 0.5f) * float(stride),
                    y = (float(i / columns) + 0.5f) * float(stride);
        boxes[size_t(c)].push_back(
            {x - side[i], y - side[n + i], x + side[2 * n + i], y + side[3 * n + i], score});
      }
  }

  int64_t height_ = 0, width_ = 0;
  std::vector<double> mean_, std_;
  std::vector<int64_t> strides_;
  std::vector<size_t> heads_;  ///< steps that give scores and distances, finest first
  std::vector<std::optional<RegionKind>> kinds_;
  std::optional<NetSteps> steps_;
};

}  // namespace

std::unique_ptr<PageNet> make_pico_det(const Checkpoint& checkpoint) {
  return std::make_unique<PicoDet>(checkpoint);
}

}  // namespace docspec
