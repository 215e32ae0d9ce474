// docspec_oracle_cases FROM TO: copies tests/data/oracle and writes the random weights of its
// checkpoints, which are not stored; the build runs it.
#include <cstdio>
#include <exception>

#include "tests/support/oracle_weights.h"

int main(int argc, char** argv) {
  if (argc != 3) return std::fputs("usage: docspec_oracle_cases FROM TO\n", stderr), 2;
  try {
    docspec::test::write_oracle_cases(argv[1], argv[2]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "docspec_oracle_cases: %s\n", error.what());
    return 1;
  }
}
