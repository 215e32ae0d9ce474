// docspec_letters_errors [--ppocr DIR] [--tell] [--only SUBSTRING] [--seed N] FILE.pdf[:FROM-TO]
// ... > OUT.json
//
// Models that misread a known share of their tokens, on real born-digital pages: how many words and
// numbers are wrong before and after their letters are reconciled with the pages, and the CPU time
// of it; then the same with text layers that lie (tests/support/lying_layers.h). A page's truth is
// what docspec takes from its text layer without a model. Words are read again by Tesseract (eng),
// or by the PP-OCR in DIR. `--tell`: on stderr each block that is still wrong, and what was decided
// there. `--only`: runs whose name holds this.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "core/document/page_blocks.h"
#include "core/letters/reconcile.h"
#include "core/letters/words/marked_words.h"
#include "core/letters/words/page_words.h"
#include "core/letters/words/word_check.h"
#include "core/markup/base/table.h"
#include "drafts/ocr/auto_ocr.h"
#include "drafts/page_drafter.h"
#include "tests/support/files.h"
#include "tests/support/letter_page.h"
#include "tests/support/lying_layers.h"

namespace docspec {
namespace {

using Json = nlohmann::ordered_json;

/// The text of a block as its words are counted.
std::string text_of(const Block& block) {
  if (!block.html) return block.text;
  const auto table = parse_html_table(*block.html);
  return table ? table_words(*table) : block.text;
}

struct Counts {
  size_t words = 0, before = 0, after = 0, numbers = 0, numbers_before = 0, worse_pages = 0;
  size_t right_layer_numbers = 0;  ///< numbers left on pages without a word that is in doubt
  LetterCounts letters;
  std::vector<double> cpu_ms;
};

/// A drafted page, as a model would have read it without errors.
struct TruePage {
  DraftedPage drafted;
  Page page;
};

std::optional<TruePage> true_page(PageDrafter& drafter, const DocumentReader& reader, int number) {
  constexpr size_t kLeastWords = 40;
  TruePage out{drafter.draft(reader, number), {}};
  out.page.page = number;
  if (!out.drafted.text_layer_trusted || out.drafted.text_layer.size() < kLeastWords ||
      !out.drafted.image)
    return std::nullopt;
  out.page.width_pt = out.drafted.info.width_pt;
  out.page.height_pt = out.drafted.info.height_pt;
  set_blocks_from_drafts(out.drafted.drafts, out.page);
  for (Block& block : out.page.blocks) block.source = "verified";
  return out;
}

void misread(Block& block, double rate, std::mt19937& rng) {
  if (block.kind == RegionKind::picture || block.kind == RegionKind::formula) return;
  if (auto table = block.html ? parse_html_table(*block.html) : std::nullopt) {
    for (auto& row : table->rows)
      for (TableCell& cell : row) cell.text = test::with_token_errors(cell.text, rate, rng);
    block.html = render_html_table(*table);
    block.text = table_words(*table);
    return;
  }
  block.text = test::with_token_errors(block.text, rate, rng);
}

struct Options {
  Drafter* ocr = nullptr;
  bool tell = false;
  std::string only;
  uint32_t seed = 0;

  bool wants(const std::string& name) const { return name.find(only) != name.npos; }
};

/// Tells the developer of blocks that are wrong: the truth, what stands, and what was decided.
void tell(const Page& truth, const Page& said, const Page& page, const test::LyingLayer* lie) {
  for (size_t i = 0; i < page.blocks.size(); ++i) {
    const std::string want = text_of(truth.blocks[i]), have = text_of(page.blocks[i]);
    if (want == have) continue;
    std::fprintf(stderr, "%s, page %d, block %zu\n  truth: %s\n  model: %s\n  now:   %s\n",
                 lie ? lie->name : "a true layer", page.page, i, want.c_str(),
                 text_of(said.blocks[i]).c_str(), have.c_str());
    for (const WordReading& word : page.blocks[i].words)
      if (word.differs())
        std::fprintf(stderr, "  '%s' / '%s' -> '%s' (%s)\n", word.model->c_str(),
                     word.document.value_or("-").c_str(), word.text.c_str(), word.why.c_str());
  }
}

/// A model with this share of wrong tokens on the page, whose layer `lie` has changed.
void measure(const TruePage& truth, double rate, const test::LyingLayer* lie,
             const Options& options, std::mt19937& rng, Counts& counts) {
  Page page = truth.page;
  for (Block& block : page.blocks) misread(block, rate, rng);
  const Page said = page;
  const auto wrong = [&](auto count) {
    size_t sum = 0;
    for (size_t i = 0; i < page.blocks.size(); ++i)
      sum += count(text_of(truth.page.blocks[i]), text_of(page.blocks[i]));
    return sum;
  };
  std::vector<Word> layer = truth.drafted.text_layer;
  if (lie) lie->change(layer, rng);
  const size_t before = wrong(test::wrong_words);
  counts.numbers_before += wrong(test::wrong_numbers);
  const std::clock_t begin = std::clock();
  reconcile(LetterRule::automatic,
            {truth.drafted.drafts.dpi, layer, true, &*truth.drafted.image, options.ocr}, page);
  counts.cpu_ms.push_back(1000.0 * double(std::clock() - begin) / CLOCKS_PER_SEC);
  const size_t after = wrong(test::wrong_words);
  if (options.tell ? after > 0 : after > before) tell(truth.page, said, page, lie);
  for (const Block& block : truth.page.blocks)
    counts.words += marked_words(text_of(block), false).size();
  counts.before += before;
  counts.after += after;
  counts.numbers += wrong(test::wrong_numbers);
  const auto doubted = [](const PageWord& word) { return !word.doubt.empty(); };
  const auto words = page_words(truth.drafted.text_layer, &*truth.drafted.image);
  if (std::none_of(words.begin(), words.end(), doubted))
    counts.right_layer_numbers += wrong(test::wrong_numbers);
  counts.worse_pages += after > before;
  counts.letters += count_letters(page);
}

Json json_of(Counts counts) {
  std::sort(counts.cpu_ms.begin(), counts.cpu_ms.end());
  const auto rounded = [](double ms) { return double(int(10 * ms + 0.5)) / 10; };
  return {{"words", counts.words},
          {"wrong words before", counts.before},
          {"after", counts.after},
          {"wrong numbers before", counts.numbers_before},
          {"numbers after", counts.numbers},
          {"of these where no word of the layer is in doubt", counts.right_layer_numbers},
          {"pages with more wrong words", counts.worse_pages},
          {"readings of the layer refused", counts.letters.refused},
          {"doubtful numbers", counts.letters.doubtful},
          {"CPU ms a page, median", rounded(counts.cpu_ms[counts.cpu_ms.size() / 2])},
          {"most", rounded(counts.cpu_ms.back())}};
}

std::vector<TruePage> read_pages(int argc, char** argv, int first) {
  PageDraftOptions options;
  options.want_image = true;
  options.sources = {"text-layer"};
  PageDrafter drafter(options);
  std::vector<TruePage> pages;
  for (int i = first; i < argc; ++i) {
    std::string name = argv[i];
    int from = 1, to = 1'000'000;
    if (const size_t at = name.find(".pdf:"); at != name.npos) {
      std::sscanf(name.c_str() + at + 5, "%d-%d", &from, &to);
      name.resize(at + 4);
    }
    const auto reader =
        open_document(std::make_shared<InputBytes>(InputBytes{name, test::read_file(name)}), "");
    for (int page = from; page <= std::min(to, reader->page_count()); ++page)
      if (auto found = true_page(drafter, *reader, page)) pages.push_back(std::move(*found));
  }
  return pages;
}

int run(int argc, char** argv) {
  ppocr::OpenReader ppocr;
  Options options;
  int first = 1;
  for (; first < argc && argv[first][0] == '-'; ++first) {
    const std::string option = argv[first];
    if (option == "--tell")
      options.tell = true;
    else if (option == "--only" && first + 1 < argc)
      options.only = argv[++first];
    else if (option == "--seed" && first + 1 < argc)
      options.seed = uint32_t(std::atoi(argv[++first]));
    else if (option == "--ppocr" && first + 1 < argc)
      ppocr = [folder = std::string(argv[++first])] { return ppocr::make_reader(folder); };
  }
  const auto ocr = make_auto_ocr("eng", std::move(ppocr));
  options.ocr = ocr.get();
  const std::vector<TruePage> pages = read_pages(argc, argv, first);
  if (pages.empty()) {
    std::fprintf(
        stderr,
        "usage: docspec_letters_errors [--ppocr DIR] [--tell] [--only SUBSTRING] [--seed N] "
        "FILE.pdf[:FROM-TO] ... (pages with a text layer)\n");
    return 1;
  }
  prepare_to_read(*ocr);
  Json out;
  out["command"] = "docspec_letters_errors [--ppocr DIR] FILE.pdf[:FROM-TO] ...";
  out["ocr"] = std::string(ocr->name());
  out["pages"] = pages.size();
  for (const double rate : {0.0, 0.01, 0.05, 0.2}) {
    const std::string name = std::to_string(int(100 * rate)) + " %";
    if (!options.wants(name)) continue;
    Counts counts;
    std::mt19937 rng(uint32_t(1000 * rate) + 7 + options.seed);
    for (const TruePage& page : pages) measure(page, rate, nullptr, options, rng, counts);
    out["token errors"][name] = json_of(counts);
  }
  for (const auto& lie : test::lying_layers()) {
    if (!options.wants(lie.name)) continue;
    for (const double rate : {0.0, 0.02}) {
      Counts counts;
      std::mt19937 rng(11 + options.seed);
      for (size_t i = 0; i < pages.size(); i += 3)
        measure(pages[i], rate, &lie, options, rng, counts);
      out["lying layers"][lie.name][rate > 0 ? "2 % token errors" : "no token errors"] =
          json_of(counts);
    }
  }
  std::puts(out.dump(1).c_str());
  return 0;
}

}  // namespace
}  // namespace docspec

int main(int argc, char** argv) {
  return docspec::run(argc, argv);
}
