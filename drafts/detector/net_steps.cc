#include "drafts/detector/net_steps.h"

#include <ATen/ATen.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "core/base/error.h"
#include "core/model/checkpoint/checkpoint.h"

namespace docspec {
namespace {

at::Tensor activated(const at::Tensor& x, const std::string& activation) {
  if (activation == "hardswish") return at::hardswish(x);
  if (activation == "relu") return at::relu(x);
  if (activation == "hardsigmoid") return at::hardsigmoid(x);
  return x;
}

}  // namespace

NetSteps::Kind NetSteps::kind_of(const std::string& name) {
  if (name == "conv") return Kind::conv;
  if (name == "add") return Kind::add;
  if (name == "multiply") return Kind::multiply;
  if (name == "mean") return Kind::mean;
  if (name == "double") return Kind::enlarge;
  if (name == "fit") return Kind::fit;
  if (name == "join") return Kind::join;
  throw std::invalid_argument("a step is '" + name + "'");
}

NetSteps::NetSteps(const nlohmann::json& steps, const Checkpoint& checkpoint) {
  for (const nlohmann::json& given : steps) {
    Step step;
    step.kind = kind_of(given.at("kind").get<std::string>());
    step.inputs = given.at("inputs").get<std::vector<int64_t>>();
    step.activation = given.value("activation", "");
    step.stride = given.value("stride", 1);
    const std::string name = std::to_string(steps_.size());
    if (step.kind == Kind::conv) {
      step.weight = checkpoint.tensor(name + ".weight");
      step.bias = checkpoint.tensor(name + ".bias");
    }
    for (const int64_t input : step.inputs)
      if (input >= std::ssize(steps_)) throw std::out_of_range("a step uses a later one");
    steps_.push_back(std::move(step));
  }
}

std::vector<at::Tensor> NetSteps::run(const at::Tensor& image) const {
  std::vector<at::Tensor> out;
  for (const Step& step : steps_) {
    std::vector<at::Tensor> x;
    for (const int64_t input : step.inputs) x.push_back(input < 0 ? image : out[size_t(input)]);
    const auto resized = [&](int64_t height, int64_t width) {
      return at::upsample_nearest2d(x[0], {height, width});
    };
    switch (step.kind) {
      case Kind::conv: {
        const int64_t side = step.weight.size(2);
        const int64_t groups = step.weight.size(1) == 1 ? step.weight.size(0) : 1;
        out.push_back(
            activated(at::conv2d(x[0], step.weight, step.bias, step.stride, side / 2, 1, groups),
                      step.activation));
        break;
      }
      case Kind::add:
        out.push_back(x[0] + x[1]);
        break;
      case Kind::multiply:
        out.push_back(x[0] * x[1]);
        break;
      case Kind::mean:
        out.push_back(x[0].mean({2, 3}, true));
        break;
      case Kind::enlarge:
        out.push_back(resized(x[0].size(2) * 2, x[0].size(3) * 2));
        break;
      case Kind::fit:
        out.push_back(resized(x[1].size(2), x[1].size(3)));
        break;
      case Kind::join:
        out.push_back(at::cat(x, 1));
        break;
    }
  }
  return out;
}

void refuse_net(const Checkpoint& checkpoint, const std::exception& fault) {
  if (dynamic_cast<const Error*>(&fault)) throw;
  throw Error(ExitCode::dependency, (checkpoint.folder() / "config.json").string() + ": " +
                                        fault.what() + "; run packaging/deps --ocr again");
}

}  // namespace docspec
