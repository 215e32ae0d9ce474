// docspec_oracle DIR [DTYPE]: compares every stage of a folder that make_checkpoint wrote with
// docspec and prints one JSON line a page; page -1 is a prompt that holds the first two. For
// tests/oracle/parity.
#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "core/model/families/registry.h"
#include "core/ops/ops.h"
#include "tests/support/oracle_case.h"

int main(int argc, char** argv) {
  using namespace docspec;
  if (argc < 2) return std::fputs("usage: docspec_oracle DIR [f32|bf16] [DEVICE]\n", stderr), 1;
  try {
    const test::OracleCase oracle(argv[1]);
    const auto ops = make_cpu_ops();
    VlmOptions options;
    options.dtype = argc > 2 ? argv[2] : "f32";
    options.device = argc > 3 ? argv[3] : "cpu";
    options.share = DOCSPEC_SOURCE_DIR "/share";
    const Vlm vlm = load_vlm(oracle.model(), options, *ops);
    const int first = oracle.has_both_pages() ? test::OracleCase::kBothPages : 0;
    for (int page = first; page < oracle.pages(); ++page) {
      const test::Parity p =
          page < 0 ? test::compare_both_pages(vlm, oracle) : test::compare(vlm, oracle, page);
      fmt::print(
          "{{\"page\":{},\"prompt_ids\":{},\"pixel_values\":{:.3g},\"vision\":{:.3g},"
          "\"logits\":{:.3g},\"vision_rms\":{:.4g},\"logits_rms\":{:.4g},\"greedy_equal\":{},"
          "\"margin\":{:.4g}}}\n",
          page, p.prompt_ids, p.pixel_values, p.vision, p.logits, p.vision_rms, p.logits_rms,
          p.greedy_equal, p.divergence_margin);
    }
  } catch (const std::exception& error) {
    fmt::print(stderr, "docspec_oracle: {}\n", error.what());
    return 1;
  }
}
