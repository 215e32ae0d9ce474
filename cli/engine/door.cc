#include <fmt/format.h>
#include <sys/sysinfo.h>

#include <algorithm>
#include <cstdlib>

#include "cli/engine.h"
#include "cli/engine/device.h"
#include "cli/engine/formula_model.h"
#include "cli/engine/loaded_model.h"
#include "cli/flags/share.h"
#include "core/ops/cpu/cpu_linear.h"
#include "core/ops/cpu/instruction_set.h"
#include "core/ops/cpu_quirks.h"
#include "core/ops/ops.h"
#include "drafts/detector/line_net.h"
#include "drafts/detector/page_net.h"
#include "drafts/detector/tables/table_net.h"
#include "drafts/ocr/ppocr/reader.h"

namespace docspec {
namespace {

/// The instructions that docspec uses for its products.
std::string arithmetic() {
  std::string out;
  for (const auto& [name, type] : {std::pair{"f32", WeightType::f32},
                                   {"bf16", WeightType::bf16},
                                   {"int8", WeightType::int8},
                                   {"int4", WeightType::int4}})
    out += fmt::format("{}{} by {}", out.empty() ? "" : ", ", name,
                       linear_kernels(type).front().instructions);
  if (const char* asked = std::getenv("DOCSPEC_CPU"))
    out += fmt::format("; DOCSPEC_CPU={}: {} is used", asked, name_of(instruction_set()));
  if (amx_is_unusable()) out += "; oneDNN leaves AMX alone, as its tile sizes are hidden";
  return out;
}

/// The speed that memory allows: a plain decode reads all weights for each token.
std::string pace() {
  struct sysinfo memory {};
  sysinfo(&memory);
  const double free_bytes = double(memory.freeram) * memory.mem_unit;
  const double gb_s = memory_read_gb_s(size_t(std::min(free_bytes / 4, double(1 << 30))));
  return fmt::format(
      "memory bandwidth {:.0f} GB/s: at best {:.0f} ms per token for a model of 1 billion "
      "parameters in bf16, {:.0f} in int8, {:.0f} in int4",
      gb_s, 2000 / std::max(gb_s, 0.1), 1000 / std::max(gb_s, 0.1), 531 / std::max(gb_s, 0.1));
}

Check gpu_check() {
  const CudaState state = cuda_state();
  return {"gpu", state.finding + (state.usable ? "" : ": models run on the CPU"), state.fix};
}

class TorchEngine : public Engine {
 public:
  std::unique_ptr<ModelRun> model_run(ModelRunInput input) const override {
    return load_model(std::move(input));
  }
  ModelReport model_info(const std::filesystem::path& folder,
                         const std::atomic<bool>& interrupted) const override {
    return docspec::model_info(folder, share_folder().value_or("") / "families", &interrupted);
  }
  ModelReport model_verify(const std::filesystem::path& folder) const override {
    return docspec::model_verify(folder, *make_cpu_ops());
  }
  std::unique_ptr<LineNet> line_net(const std::filesystem::path& folder) const override {
    return make_line_net(folder);
  }
  std::unique_ptr<PageNet> page_net(const std::filesystem::path& folder) const override {
    return make_page_net(folder);
  }
  std::unique_ptr<TableNet> table_net(const std::filesystem::path& folder) const override {
    return make_table_net(folder);
  }
  std::unique_ptr<ppocr::Reader> ppocr(const std::filesystem::path& folder) const override {
    return ppocr::make_reader(folder);
  }
  std::unique_ptr<FormulaReader> formula_reader(
      const std::filesystem::path& folder) const override {
    return make_formula_reader(folder);
  }
  std::vector<Check> checks() const override {
    return {{"products", arithmetic(), ""}, {"reading", pace(), ""}, gpu_check()};
  }
};

}  // namespace
}  // namespace docspec

/// The only name that the library exports. Returns nullptr to a docspec of another version.
extern "C" __attribute__((visibility("default"))) const docspec::Engine* docspec_engine(
    const char* version) {
  static const docspec::TorchEngine kEngine;
  return docspec::engine_version() == version ? &kEngine : nullptr;
}
