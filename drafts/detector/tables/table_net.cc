#include "drafts/detector/tables/table_net.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>

#include "core/base/error.h"
#include "core/base/no_teams.h"
#include "core/model/checkpoint/checkpoint.h"
#include "core/ops/layers.h"
#include "drafts/detector/net_image.h"
#include "drafts/detector/net_steps.h"

namespace docspec {
namespace {

/// Places the cells that come row by row into a grid, past those that hang down from rows above.
class GridWriter {
 public:
  void begin_row() { ++row_, column_ = 0; }

  void add(int row_span, int column_span, const Box& box) {
    if (row_ < 0) begin_row();
    while (taken_.contains({row_, column_})) ++column_;
    table_.cells.push_back({row_, column_, row_span, column_span, box});
    for (int r = 0; r < row_span; ++r)
      for (int c = 0; c < column_span; ++c) taken_.insert({row_ + r, column_ + c});
    column_ += column_span;
    table_.columns = std::max(table_.columns, column_);
  }

  /// Rows that hang out below the last one are cut.
  SeenTable finish() && {
    table_.rows = row_ + 1;
    for (GridCell& cell : table_.cells)
      cell.row_span = std::min(cell.row_span, table_.rows - cell.row);
    return std::move(table_);
  }

 private:
  SeenTable table_;
  int row_ = -1, column_ = 0;
  std::set<std::pair<int, int>> taken_;  // rows and columns
};

class SlaNet : public TableNet {
 public:
  explicit SlaNet(const Checkpoint& checkpoint) {
    const nlohmann::json& config = checkpoint.config();
    try {
      if (config.at("model_type") != "docspec_slanet")
        throw std::invalid_argument("it is not of a table net");
      side_ = config.at("side"), image_ = config.at("image"), most_ = config.at("most_tokens");
      mean_ = config.at("mean").get<std::vector<double>>();
      std_ = config.at("std").get<std::vector<double>>();
      tokens_ = config.at("tokens").get<std::vector<std::string>>();
      steps_.emplace(config.at("steps"), checkpoint);
      if (image_ >= steps_->size()) throw std::out_of_range("the image's step is none");
      const auto layer = [&](const std::string& name) {
        Linear linear;
        linear.weight = checkpoint.tensor(name + ".weight");
        if (checkpoint.has(name + ".bias")) linear.bias = checkpoint.tensor(name + ".bias");
        return linear;
      };
      attend_image_ = layer("attend.image"), attend_state_ = layer("attend.state");
      attend_score_ = layer("attend.score");
      state_input_ = layer("state.input"), state_hidden_ = layer("state.hidden");
      for (const char* part : {".0", ".1"}) {
        token_.push_back(layer("token" + std::string(part)));
        corners_.push_back(layer("corners" + std::string(part)));
      }
      if (token_[1].weight.size(0) != std::ssize(tokens_))
        throw std::out_of_range("tokens and layers differ");
    } catch (const std::exception& e) {
      refuse_net(checkpoint, e);
    }
  }

  SeenTable read(const PageImage& table) const override {
    const NoTeams no_teams;
    const double ratio = double(side_) / std::max(table.width_px(), table.height_px());
    const at::Tensor image = steps_->run(input(table, ratio))[image_];
    const at::Tensor places = image.flatten(2).transpose(1, 2).contiguous();  // [1, n, channels]
    const at::Tensor attended = attend_image_(places);
    const int64_t width = state_hidden_.weight.size(1), count = std::ssize(tokens_);
    at::Tensor state = at::zeros({1, width});
    GridWriter grid;
    int64_t token = 0, spans[2] = {1, 1};  // columns, rows
    Box open;                              // of a cell whose spans are still to come
    double sum = 0;
    int64_t written = 0;
    bool complete = false;
    for (int64_t step = 0; step < most_ && !complete; ++step) {
      state = next_state(places, attended, state, token);
      const at::Tensor logits = token_[1](token_[0](state))[0];
      token = logits.argmax().item<int64_t>();
      const std::string& name = tokens_[size_t(token)];
      complete = token == count - 1;
      if (complete || token == 0) continue;
      sum += logits.softmax(0)[token].item<double>(), ++written;
      if (name == "<tr>") grid.begin_row();
      if (name == "<td></td>") grid.add(1, 1, box_of(state, ratio, table));
      if (name == "<td") open = box_of(state, ratio, table), spans[0] = spans[1] = 1;
      if (name.starts_with(" colspan") || name.starts_with(" rowspan"))
        spans[name[1] == 'r'] = std::atoi(name.c_str() + name.find('"') + 1);
      if (name == "</td>") grid.add(int(spans[1]), int(spans[0]), open);
    }
    SeenTable seen = std::move(grid).finish();
    seen.score = written > 0 ? sum / double(written) : 0;
    seen.complete = complete;
    return seen;
  }

 private:
  /// The table at the top left of a square, whose rest is 0. Red and blue are changed over, and
  /// mean and deviation are not, as in training.
  at::Tensor input(const PageImage& table, double ratio) const {
    const auto scaled = [&](int size) {
      return std::clamp<int64_t>(int64_t(size * ratio), 1, side_);
    };
    const int64_t height = scaled(table.height_px()), width = scaled(table.width_px());
    const at::Tensor pixels = net_image(table, height, width, Resize::plain).flip({0}) / 255;
    at::Tensor square = at::zeros({1, 3, side_, side_});
    square[0].slice(1, 0, height).slice(2, 0, width).copy_(centred(pixels, mean_, std_));
    return square.contiguous(at::MemoryFormat::ChannelsLast);
  }

  /// One step: a glance at the places of the image by the state, then a gated recurrent unit.
  at::Tensor next_state(const at::Tensor& places, const at::Tensor& attended,
                        const at::Tensor& state, int64_t token) const {
    const at::Tensor scores = attend_score_((attended + attend_state_(state).unsqueeze(1)).tanh());
    const at::Tensor glance = scores.softmax(1).transpose(1, 2).matmul(places).squeeze(1);
    at::Tensor last = at::zeros({1, std::ssize(tokens_)});
    last[0][token] = 1;
    const auto in = state_input_(at::cat({glance, last}, 1)).chunk(3, 1);
    const auto own = state_hidden_(state).chunk(3, 1);
    const at::Tensor reset = (in[0] + own[0]).sigmoid(), keep = (in[1] + own[1]).sigmoid();
    const at::Tensor fresh = (in[2] + reset * own[2]).tanh();
    return (state - fresh) * keep + fresh;
  }

  /// Around the four corners that a state tells, shares of the square.
  Box box_of(const at::Tensor& state, double ratio, const PageImage& table) const {
    const at::Tensor shares = corners_[1](corners_[0](state)).sigmoid().contiguous();
    const float* const at = shares.data_ptr<float>();
    const double scale = double(side_) / ratio;
    const auto [left, right] = std::minmax({at[0], at[2], at[4], at[6]});
    const auto [top, bottom] = std::minmax({at[1], at[3], at[5], at[7]});
    return intersect({int(left * scale), int(top * scale), int(std::lround(right * scale)),
                      int(std::lround(bottom * scale))},
                     {0, 0, table.width_px(), table.height_px()});
  }

  int64_t side_ = 0, most_ = 0;
  size_t image_ = 0;  ///< the step that shows the image to the recurrent layer
  std::vector<double> mean_, std_;
  std::vector<std::string> tokens_;
  std::optional<NetSteps> steps_;
  Linear attend_image_, attend_state_, attend_score_, state_input_, state_hidden_;
  std::vector<Linear> token_, corners_;  // two layers each
};

}  // namespace

std::unique_ptr<TableNet> make_table_net(const std::filesystem::path& folder) {
  return std::make_unique<SlaNet>(Checkpoint(folder));
}

}  // namespace docspec
