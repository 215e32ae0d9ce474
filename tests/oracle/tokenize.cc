// docspec_tokenize TOKENIZER.json [--text] < LINES > IDS: one line of ids for each line of text,
// the developer's side of tests/oracle/tokenizer_parity. With --text special tokens are read as
// text.
// --decode turns lines of ids back into texts, written as JSON strings. Seconds go to stderr.
#include <chrono>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "core/text/tokenizer.h"

int main(int argc, char** argv) {
  const std::string mode = argc > 2 ? argv[2] : "";
  const auto tokenizer = docspec::Tokenizer::load(argv[1]);
  std::string out, line;
  double seconds = 0;
  size_t bytes = 0;
  while (std::getline(std::cin, line)) {
    const auto start = std::chrono::steady_clock::now();
    if (mode == "--decode") {
      std::istringstream in(line);
      std::vector<int32_t> ids{std::istream_iterator<int32_t>(in), {}};
      out = nlohmann::json(tokenizer.decode(ids)).dump();
    } else {
      const auto ids = tokenizer.encode(line, mode != "--text");
      seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      out.clear();
      for (const int32_t id : ids) out += std::to_string(id) + ' ';
    }
    bytes += line.size();
    std::puts(out.c_str());
  }
  std::fprintf(stderr, "%zu bytes, %.3f s, %.1f MB/s\n", bytes, seconds,
               double(bytes) / 1e6 / seconds);
}
