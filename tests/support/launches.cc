#include "tests/support/launches.h"

#include <ATen/record_function.h>

#include <set>
#include <string>

namespace docspec::test {
namespace {

thread_local int64_t launches = 0;
thread_local int depth = 0;
thread_local bool counted = false;  // the outermost operation that runs

/// Whether the operation by itself starts nothing: what it does is in those that it calls.
bool starts_nothing(const std::string& name) {
  static const std::set<std::string> kNames = {"to",
                                               "contiguous",
                                               "reshape",
                                               "flatten",
                                               "view",
                                               "narrow",
                                               "slice",
                                               "select",
                                               "as_strided",
                                               "transpose",
                                               "t",
                                               "permute",
                                               "unsqueeze",
                                               "squeeze",
                                               "expand",
                                               "unflatten",
                                               "split",
                                               "split_with_sizes",
                                               "chunk",
                                               "unbind",
                                               "empty",
                                               "empty_like",
                                               "detach",
                                               "alias",
                                               "numpy_T",
                                               "view_as",
                                               "empty_strided",
                                               "lift_fresh",
                                               "set_",
                                               "new_empty",
                                               "unsafe_chunk",
                                               "unsafe_split",
                                               "is_nonzero",
                                               "resolve_conj",
                                               "resolve_neg",
                                               "result_type"};
  return kNames.contains(name.substr(name.find("::") + 2));
}

std::unique_ptr<at::ObserverContext> begin(const at::RecordFunction& call) {
  const std::string name = call.name();
  if (name.find("::") == std::string::npos) return nullptr;
  if (depth++ == 0) counted = false;
  if (!counted && !starts_nothing(name)) {
    counted = true;
    ++launches;
  }
  return nullptr;
}

void end(const at::RecordFunction& call, at::ObserverContext*) {
  if (std::string(call.name()).find("::") != std::string::npos) --depth;
}

}  // namespace

Launches::Launches()
    : handle_(at::addThreadLocalCallback(
          at::RecordFunctionCallback(begin, end).scopes({at::RecordScope::FUNCTION}))) {
  launches = 0;
  depth = 0;
}

Launches::~Launches() {
  at::removeCallback(handle_);
}

int64_t Launches::count() const {
  return launches;
}

}  // namespace docspec::test
