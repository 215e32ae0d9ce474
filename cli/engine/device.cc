#include "cli/engine/device.h"

#include <c10/core/impl/VirtualGuardImpl.h>
#include <dlfcn.h>

#include <algorithm>
#include <filesystem>

#include "core/base/error.h"
#include "core/ops/cpu_quirks.h"

namespace docspec {

std::string open_cuda_side() {
  static const std::string fault = [] {
    if (dlopen("libdocspec_cuda.so", RTLD_NOW | RTLD_GLOBAL)) return std::string();
    return std::string(dlerror());
  }();
  return fault;
}

CudaState cuda_state() {
  if (!std::filesystem::exists("/dev/nvidiactl")) return {false, "no NVIDIA driver", ""};
  if (const std::string reason = open_cuda_side(); !reason.empty()) {
    if (reason.starts_with("libdocspec_cuda.so: cannot open"))
      return {false, "NVIDIA's driver is there, but this docspec was built without its CUDA side",
              "install the CUDA toolkit (nvcc 13) and run packaging/build again"};
    return {false, "the CUDA side cannot be opened: " + reason, "packaging/deps --cuda"};
  }
  using Describe = void(char*, size_t);
  auto* describe = reinterpret_cast<Describe*>(dlsym(RTLD_DEFAULT, "docspec_cuda_describe"));
  std::string told(2000, '\0');
  if (describe) describe(told.data(), told.size());
  told.resize(told.find('\0'));
  const size_t end = std::min(told.find('\n'), told.size() - 1);
  const std::string fix = told.substr(end + 1);
  return {fix.empty(), told.substr(0, end), fix};
}

std::string device_name(const std::string& device) {
  return device == "cpu" ? cpu_name() : cuda_state().finding;
}

std::string resolve_device(const std::string& device) {
  if (device == "cpu") return device;
  if (device != "auto" && !device.starts_with("cuda"))
    throw Error(ExitCode::usage, "--device " + device + ": must be auto, cpu, cuda or cuda:N");
  static const CudaState state = cuda_state();
  if (state.usable) return device == "auto" ? "cuda" : device;
  if (device == "auto") return "cpu";
  throw Error(ExitCode::dependency, "--device " + device + ": " + state.finding +
                                        (state.fix.empty() ? "" : " (" + state.fix + ")") +
                                        "; use --device cpu");
}

std::unique_ptr<Ops> make_device_ops(const std::string& device, const Ops& host) {
  if (device == "cpu") return nullptr;
  const c10::Device place(device);  // "cuda" alone is from now on the one that is asked for
  if (place.has_index()) c10::impl::VirtualGuardImpl(place.type()).setDevice(place);
  using Make = Ops*(const Ops*);
  auto* make = reinterpret_cast<Make*>(dlsym(RTLD_DEFAULT, "docspec_make_cuda_ops"));
  return std::unique_ptr<Ops>(make ? make(&host) : nullptr);
}

}  // namespace docspec
