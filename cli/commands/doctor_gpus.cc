#include <dlfcn.h>
#include <fmt/format.h>

#include "cli/commands.h"
#include "core/base/output_file.h"
#include "core/text/printable.h"

namespace docspec {
namespace {

/// What is used of NVML, NVIDIA's library of its driver (nvml.h; 0 = success).
using Device = void*;
struct Memory {
  unsigned long long total, free, used;
};
struct Utilization {
  unsigned gpu, memory;
};

/// Calls functions of the library by their names.
class Nvml {
 public:
  Nvml() : library_(dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)) {}
  bool there() const { return library_ && call<>("nvmlInit_v2"); }
  template <typename... Types>
  bool call(const char* name, Types... values) const {
    auto* function = reinterpret_cast<int (*)(Types...)>(dlsym(library_, name));
    return function && function(values...) == 0;
  }

 private:
  void* library_;  // stays open: the process ends soon
};

/// A GPU in one line; what the driver does not tell is left out.
std::string describe(const Nvml& nvml, unsigned index) {
  Device device = nullptr;
  if (!nvml.call("nvmlDeviceGetHandleByIndex_v2", index, &device))
    return "the driver cannot open it";
  char name[96] = "NVIDIA GPU";
  nvml.call("nvmlDeviceGetName", device, +name, unsigned(sizeof name));
  std::string out = name;
  if (int major = 0, minor = 0;
      nvml.call("nvmlDeviceGetCudaComputeCapability", device, &major, &minor))
    out += fmt::format(", compute capability {}.{}", major, minor);
  constexpr double kGib = 1024.0 * 1024 * 1024;
  if (Memory memory{}; nvml.call("nvmlDeviceGetMemoryInfo", device, &memory))
    out += fmt::format(", {:.1f} of {:.1f} GiB free", double(memory.free) / kGib,
                       double(memory.total) / kGib);
  if (Utilization busy{}; nvml.call("nvmlDeviceGetUtilizationRates", device, &busy))
    out += fmt::format(", {} % busy", busy.gpu);
  return out;
}

}  // namespace

ExitCode doctor_gpus() {
  const Nvml nvml;
  unsigned count = 0;
  std::string text;
  if (nvml.there() && nvml.call("nvmlDeviceGetCount_v2", &count) && count > 0) {
    char driver[96] = "";
    nvml.call("nvmlSystemGetDriverVersion", +driver, unsigned(sizeof driver));
    text = fmt::format("{:<10} {}\n", "driver", driver);
    for (unsigned index = 0; index < count; ++index)
      text += fmt::format("{:<10} {}\n", fmt::format("gpu {}", index), describe(nvml, index));
  } else {
    text = fmt::format(
        "{:<10} none: NVIDIA's driver (libnvidia-ml.so.1) is not there or finds none\n", "gpu");
  }
  OutputFile("-").commit(printable(text, LineBreaks::keep));
  return count > 0 ? ExitCode::ok : ExitCode::dependency;
}

}  // namespace docspec
