#pragma once

#include <stdexcept>
#include <string>

namespace docspec {

/// Exit codes of the binary: the contract of `docspec(1)`, section EXIT STATUS.
enum class ExitCode {
  ok = 0,
  usage = 1,
  input_file = 2,
  partial = 3,
  dependency = 4,
  output_file = 5,
  password = 6,
  out_of_memory = 7,
  internal = 8,
  interrupted = 130,
};

/// The one exception type at boundaries. The message says where, what, and what to do next:
/// `throw Error(ExitCode::input_file, "a.pdf: page 3: encrypted; pass --password")`.
class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  ExitCode code() const { return code_; }

 private:
  ExitCode code_;
};

}  // namespace docspec
