#include "tests/support/full_size.h"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/base/error.h"
#include "core/model/checkpoint/checkpoint.h"
#include "core/model/families/registry.h"
#include "core/model/memory_plan.h"
#include "core/ops/ops.h"
#include "tests/support/checkpoint_writer.h"
#include "tests/support/files.h"
#include "tests/support/shapes_alone.h"
#include "tests/support/temp_dir.h"

namespace docspec::test {
namespace {

constexpr double kGib = 1 << 30;

}  // namespace

using nlohmann::json;

Shapes demanded(const json& config, const std::string& preprocessor, const std::string& stored) {
  TempDir dir;
  write_file(dir / "config.json", config.dump());
  write_file(dir / "preprocessor_config.json", preprocessor);
  write_file(dir / "model.safetensors", safetensors_bytes({{stored, "U8", {1}, "a"}}));
  const Checkpoint checkpoint(dir.path());
  const auto ops = make_cpu_ops();
  ShapesAlone weights(checkpoint);
  find(families(), config["model_type"].get<std::string>())->make(checkpoint, weights, *ops);
  Shapes out;
  for (const TensorInfo& tensor : weights.expected()) out[tensor.name] = tensor.shape;
  return out;
}

int64_t numbers_in(const Shapes& shapes) {
  int64_t total = 0;
  for (const auto& [name, shape] : shapes)
    total += std::accumulate(shape.begin(), shape.end(), int64_t{1}, std::multiplies<>());
  return total;
}

std::string memory_cell(const json& config, const std::string& preprocessor,
                        const std::string& stored) {
  json header;
  uint64_t at = 0;
  for (const auto& [name, shape] : demanded(config, preprocessor, stored)) {
    const auto bytes =
        std::accumulate(shape.begin(), shape.end(), uint64_t{2}, std::multiplies<>());
    header[name] = {{"dtype", "BF16"}, {"shape", shape}, {"data_offsets", {at, at + bytes}}};
    at += bytes;
  }
  TempDir dir;
  write_file(dir / "config.json", config.dump());
  write_file(dir / "preprocessor_config.json", preprocessor);
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  const std::string head = safetensors_bytes(text, "");
  write_file(dir / "model.safetensors", head);
  std::filesystem::resize_file(dir / "model.safetensors", head.size() + at);  // a hole, no blocks
  const Checkpoint checkpoint(dir.path());
  const auto ops = make_cpu_ops();
  std::string out;
  for (const char* dtype : {"bf16", "int8"}) {
    const MemoryNeeds needs =
        memory_needs(checkpoint, {.dtype = dtype, .share = share_dir()}, *ops);
    try {
      plan_memory(needs,
                  {.ceiling = 1, .base = int64_t(0.3 * kGib), .new_tokens = 8192, .rows = 256});
    } catch (const Error& e) {  // it tells the least plan: "... = 9.01 GiB; ..."
      const std::string told = e.what();
      out += fmt::format("{}{:.1f}", out.empty() ? "" : " / ",
                         std::stod(told.substr(told.find("= ") + 2)));
    }
  }
  return out;
}

}  // namespace docspec::test
