#include <fmt/format.h>
#include <sys/sysinfo.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "cli/commands.h"
#include "cli/device.h"
#include "cli/flags/share.h"
#include "core/base/output_file.h"
#include "core/ops/cpu/cpu_linear.h"
#include "core/ops/cpu_quirks.h"
#include "core/text/printable.h"
#include "core/worker/sandbox.h"
#include "drafts/ocr/tesseract_drafter.h"

namespace docspec {
namespace {

std::string cpu_line(const std::string& key) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(key)) return line.substr(line.find(':') + 1);
  return "";
}

/// The instruction sets that the model's arithmetic profits from.
std::string cpu_features() {
  std::istringstream flags(cpu_line("flags"));
  std::string out;
  for (std::string flag; flags >> flag;)
    for (const char* wanted :
         {"avx2", "avx512f", "avx512_bf16", "avx512_vnni", "avx_vnni", "amx_bf16", "amx_int8"})
      if (flag == wanted) out += (out.empty() ? "" : " ") + flag;
  return out.empty() ? "none of AVX2, AVX-512, AMX: models will be slow" : out;
}

double gib(double bytes) {
  return bytes / (1024.0 * 1024 * 1024);
}

/// Reports the instructions that docspec uses for its products, and the speed that memory allows: a
/// plain decode reads all weights for each token.
std::string arithmetic() {
  std::string out;
  for (const auto& [name, type] :
       {std::pair{"f32", WeightType::f32}, {"bf16", WeightType::bf16}, {"int8", WeightType::int8}})
    out += fmt::format("{}{} by {}", out.empty() ? "" : ", ", name,
                       linear_kernels(type).front().instructions);
  if (amx_is_unusable()) out += "; oneDNN leaves AMX alone, as its tile sizes are hidden";
  return out;
}

std::string pace(double free_bytes) {
  const double gb_s = memory_read_gb_s(size_t(std::min(free_bytes / 4, double(1 << 30))));
  return fmt::format(
      "memory bandwidth {:.0f} GB/s: at best {:.0f} ms per token for a model of 1 billion "
      "parameters in bf16, {:.0f} in int8",
      gb_s, 2000 / std::max(gb_s, 0.1), 1000 / std::max(gb_s, 0.1));
}

struct Check {
  std::string name, finding, fix;  ///< fix empty = all well
};

Check tesseract() {
  std::string list;
  for (const std::string& language : tesseract_languages())
    list += (list.empty() ? "" : " ") + language;
  return {"tesseract", list.empty() ? "no languages" : "languages: " + list,
          (" " + list + " ").find(" eng ") == std::string::npos
              ? "apt-get install tesseract-ocr-eng"
              : ""};
}

Check ppocr() {
  const std::filesystem::path folder = ppocr_folder();
  return {"ppocr", folder.empty() ? "not installed: scans are read by Tesseract" : folder.string(),
          folder.empty() ? "packaging/deps --ocr (27 MB from PyPI; Latin, Chinese, Japanese)" : ""};
}

Check gpu() {
  const CudaState state = cuda_state();
  return {"gpu", state.finding + (state.usable ? "" : ": models run on the CPU"), state.fix};
}

Check model_check(const Options& options) {
  if (options.model.empty()) {
    return {"model", "none configured: convert gives the drafts",
            "name a checkpoint folder with --model DIR, DOCSPEC_MODEL, or model = \"DIR\" in "
            "~/.config/docspec/docspec.toml"};
  }
  const bool there = options.model == "none" ||
                     std::filesystem::exists(model_folder(options.model) / "config.json");
  return {"model", options.model,
          there ? "" : "no config.json there: name a Hugging Face checkpoint folder"};
}

Check sandbox() {
  return {"sandbox", sandbox_state().text(), ""};
}

Check share() {
  const auto folder = share_folder();
  return {"data", folder ? folder->string() : "share/docspec was not found beside the binary",
          folder ? "" : "install with cmake --install, or run the binary from its build tree"};
}

}  // namespace

ExitCode doctor(const Options& options) {
  struct sysinfo memory {};
  sysinfo(&memory);
  const double unit = memory.mem_unit;
  const Check checks[] = {
      {"cpu",
       fmt::format("{} threads,{}; {}", std::thread::hardware_concurrency(), cpu_line("model name"),
                   cpu_features()),
       ""},
      {"products", arithmetic(), ""},
      {"memory",
       fmt::format("{:.1f} GiB, {:.1f} GiB free", gib(double(memory.totalram) * unit),
                   gib(double(memory.freeram + memory.bufferram) * unit)),
       ""},
      {"reading", pace(double(memory.freeram) * unit), ""},
      gpu(),
      tesseract(),
      ppocr(),
      sandbox(),
      model_check(options),
      share()};
  bool well = true;
  std::string text;
  for (const Check& check : checks) {
    text += fmt::format("{:<10} {}\n", check.name, check.finding);
    if (check.fix.empty()) continue;
    text += fmt::format("{:<10} fix: {}\n", "", check.fix);
    well &= check.name == "model" || check.name == "gpu" ||
            check.name == "ppocr";  // docspec works without
  }
  OutputFile("-").commit(printable(text, LineBreaks::keep));
  return well ? ExitCode::ok : ExitCode::dependency;
}

}  // namespace docspec
