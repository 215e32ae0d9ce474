#pragma once

#include <ATen/core/Tensor.h>

#include <exception>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace docspec {

class Checkpoint;

/// The graph of a net of convolutions as packaging/ocr writes it into a config.json: each step uses
/// the image or steps before it.
class NetSteps {
 public:
  /// `steps`: the array of config.json. Throws std::exception for one that it does not know, and
  /// Error(dependency) for a tensor that is missing.
  NetSteps(const nlohmann::json& steps, const Checkpoint& checkpoint);

  size_t size() const { return steps_.size(); }
  /// The output of each step. image: [1, 3, height, width] f32.
  std::vector<at::Tensor> run(const at::Tensor& image) const;

 private:
  enum class Kind { conv, add, multiply, mean, enlarge, fit, join };
  struct Step {
    Kind kind = Kind::conv;
    std::string activation;
    std::vector<int64_t> inputs;  ///< steps before; -1 = the image
    int64_t stride = 1;
    at::Tensor weight, bias;  ///< of a convolution
  };
  static Kind kind_of(const std::string& name);

  std::vector<Step> steps_;
};

/// For a catch block: what is wrong with the config.json of a net that packaging/deps --ocr
/// installs, as Error(dependency) that names the file. An Error goes on as it is.
[[noreturn]] void refuse_net(const Checkpoint& checkpoint, const std::exception& fault);

}  // namespace docspec
