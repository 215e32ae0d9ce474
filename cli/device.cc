#include "cli/device.h"

#include <dlfcn.h>

#include <filesystem>

#include "core/error.h"

namespace docspec {

std::string resolve_device(const std::string& device) {
  if (device == "cpu") return device;
  if (device != "auto" && !device.starts_with("cuda"))
    throw Error(ExitCode::usage, "--device " + device + ": must be auto, cpu, cuda or cuda:N");
  if (device == "auto" && !std::filesystem::exists("/dev/nvidiactl")) return "cpu";
  if (dlopen("libdocspec_cuda.so", RTLD_NOW | RTLD_GLOBAL))
    return device == "auto" ? "cuda" : device;
  const std::string reason = dlerror();
  if (device == "auto") return "cpu";
  throw Error(ExitCode::dependency,
              "--device " + device + ": the CUDA side cannot be opened (" + reason +
                  "); build it with packaging/build cuda on a machine with NVIDIA's driver, or use "
                  "--device cpu");
}

std::unique_ptr<Ops> make_device_ops(const std::string& device, const Ops& host) {
  if (device == "cpu") return nullptr;
  using Make = Ops*(const Ops*);
  auto* make = reinterpret_cast<Make*>(dlsym(RTLD_DEFAULT, "docspec_make_cuda_ops"));
  return std::unique_ptr<Ops>(make ? make(&host) : nullptr);
}

}  // namespace docspec
