#include "cli/engine.h"

#include <dlfcn.h>

#include <cstddef>
#include <exception>
#include <new>

#include "cli/commands.h"
#include "core/base/error.h"

namespace docspec {
namespace {

constexpr const char* kLibrary = "libdocspec_engine.so";

const Engine& open_engine() {
  const std::terminate_handler usual = std::set_terminate(end_without_memory);
  // Now, not at the first call: a libtorch of another version lacks symbols.
  void* const library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
  std::set_terminate(usual);
  if (!library) {
    const std::string reason = dlerror();
    if (reason.find("map segment") != reason.npos || reason.find("allocate") != reason.npos)
      throw Error(ExitCode::out_of_memory, "out of memory while docspec's engine is opened: " +
                                               reason + "; raise ulimit -d and -v");
    if (reason.starts_with(std::string(kLibrary) + ": cannot open"))
      throw Error(ExitCode::dependency,
                  "docspec's engine, which runs models and nets, is not installed; install "
                  "docspec-engine (Debian) or 'docspec[model]' (pip), or build it with "
                  "packaging/build; --model none and Tesseract do without");
    throw Error(ExitCode::dependency,
                "docspec's engine cannot be opened: " + reason +
                    "; it needs libtorch 2.11: pip install 'docspec[model]', or packaging/deps");
  }
  using Open = const Engine*(const char* version);
  auto* open = reinterpret_cast<Open*>(dlsym(library, "docspec_engine"));
  const Engine* const engine = open ? open(engine_version().c_str()) : nullptr;
  if (!engine)
    throw Error(
        ExitCode::dependency,
        std::string(kLibrary) + " belongs to another docspec; install both from the same release");
  return *engine;
}

}  // namespace

/// The program looks for libraries where its engine does (CMakeLists.txt).
std::vector<std::filesystem::path> engine_folders() {
  void* const program = dlopen(nullptr, RTLD_LAZY);
  Dl_serinfo size{};
  if (!program || dlinfo(program, RTLD_DI_SERINFOSIZE, &size) != 0) return {};
  std::vector<std::byte> memory(size.dls_size);
  auto* const found = new (memory.data()) Dl_serinfo(size);
  if (dlinfo(program, RTLD_DI_SERINFOSIZE, found) != 0 ||
      dlinfo(program, RTLD_DI_SERINFO, found) != 0)
    return {};
  std::vector<std::filesystem::path> out;
  for (unsigned i = 0; i < found->dls_cnt; ++i) {
    const std::filesystem::path folder = found->dls_serpath[i].dls_name;
    if (!folder.is_absolute()) continue;  // an empty entry stands for the current folder
    // PyPI's libtorch lies in torch/lib, with NVIDIA's libraries beside torch.
    const bool torch = folder.filename() == "lib" && folder.parent_path().filename() == "torch";
    out.push_back(torch ? folder.parent_path().parent_path() : folder);
  }
  return out;
}

const Engine& engine() {
  static const Engine& kEngine = open_engine();
  return kEngine;
}

std::optional<std::string> engine_fault() {
  try {
    engine();
    return std::nullopt;
  } catch (const Error& e) {
    return e.what();
  }
}

}  // namespace docspec
