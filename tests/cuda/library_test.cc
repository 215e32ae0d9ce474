// libdocspec_cuda.so as a file: what it needs of the program that opens it.
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <sstream>

#include "tests/support/command.h"

namespace docspec::test {
namespace {

/// Names of docspec's own dynamic symbols: "undefined", those that the file needs, or "defined".
std::set<std::string> symbols(const std::string& file, const std::string& which) {
  const CommandResult told = run_program({"nm", "-D", "--" + which + "-only", file});
  EXPECT_EQ(told.code, 0) << told.err;
  std::set<std::string> out;
  std::istringstream words(told.out);
  for (std::string word; words >> word;)
    if (word.find("docspec") != std::string::npos) out.insert(word);
  return out;
}

TEST(CudaLibraryFile, NeedsNothingThatTheProgramDoesNotExport) {
  if (!std::filesystem::exists(DOCSPEC_CUDA_LIBRARY))
    GTEST_SKIP() << "this build has no CUDA side (nvcc)";
  const std::set<std::string> exported = symbols(DOCSPEC_BINARY, "defined");
  for (const std::string& name : symbols(DOCSPEC_CUDA_LIBRARY, "undefined"))
    EXPECT_TRUE(exported.contains(name)) << name;
  EXPECT_TRUE(symbols(DOCSPEC_CUDA_LIBRARY, "defined").contains("docspec_make_cuda_ops"));
}

}  // namespace
}  // namespace docspec::test
