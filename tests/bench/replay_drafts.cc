// docspec_replay_drafts PAGES.json TOKENIZER.json [ROWS]: passes of the stages page and region
// where the model is a script that says a page's transcript, with drafts as the stages make them.
// PAGES: what tests/bench/replay_drafts writes. A JSON line a page to stdout: tokens and passes of
// each stage ("blocks": the page without its text as one draft), that text, and the byte of the
// transcript at which each pass of the page ended. There is no machine time in it.
#include <ATen/Parallel.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

#include "core/document/drafts_json.h"
#include "core/markup/registry.h"
#include "core/read/scope.h"
#include "core/text/tokenizer.h"
#include "tests/support/script_lm.h"

using namespace docspec;
using nlohmann::json;

namespace {

struct Bench {
  const Tokenizer& tokenizer;
  size_t rows = 16;

  std::vector<int32_t> ids(const std::string& text) const { return tokenizer.encode(text, false); }
};

struct Counted {
  int64_t tokens = 0, passes = 0;
  std::vector<size_t> ends;  ///< bytes of the transcript
};

void count(const Bench& bench, const std::string& transcript, std::span<const DraftTokens> drafts,
           Counted& sum) {
  const ScriptLm lm(bench.ids(transcript), 151936);
  if (lm.script().empty()) return;
  std::vector<TraceStep> steps;
  sum.passes +=
      run_script(lm, automatic(proposers()), drafts, bench.rows, &bench.tokenizer, false, &steps)
          .passes;
  sum.tokens += int64_t(lm.script().size());
  size_t token = 1, byte = bench.tokenizer.bytes_of(lm.script()[0]).size();
  for (const TraceStep& step : steps) {
    for (int64_t i = 0; i <= step.accepted && token < lm.script().size(); ++i)
      byte += bench.tokenizer.bytes_of(lm.script()[token++]).size();
    sum.ends.push_back(byte);
  }
}

/// The file lacks the marks of formulas within text; their words have dollars.
void mark_formulas(Draft& draft) {
  size_t from = 0;
  for (const Word& word : draft.words) {
    const size_t at = draft.text.find(word.text, from);
    if (at == draft.text.npos) continue;
    from = at + word.text.size();
    if (word.text.size() > 2 && word.text.starts_with('$') && word.text.ends_with('$'))
      draft.marks.push_back({TextMark::Kind::formula, at, from});
  }
}

json replay(const Bench& bench, const json& page) {
  const json file = {{"schema", "docspec-drafts/1"},
                     {"source", {{"file", "-"}, {"sha256", ""}}},
                     {"pages", {page.at("drafts")}}};
  PageDrafts drafts = parse_drafts_json(file.dump(), "drafts").pages.at(0);
  const double dpi = drafts.dpi = page.at("dpi");
  for (Draft& draft : drafts.drafts) mark_formulas(draft);
  const PageImage image(1, drafts.width_px, drafts.height_px, dpi);
  const PageFrame frame{drafts.width_px * 72 / dpi, drafts.height_px * 72 / dpi, drafts.width_px,
                        drafts.height_px};
  const auto dialect = make_dialect(page.at("markup").get<std::string>());
  const auto written = [&](std::string_view question, const Draft& draft) {
    return written_draft(*dialect, question, frame, image, region_of(draft, drafts.regions), draft);
  };

  Counted blocks, whole, regions;
  std::vector<DraftTokens> all;
  for (const Draft& draft : drafts.drafts) {
    if (draft.text.empty()) continue;
    all.push_back({draft.source, bench.ids(written("page", draft))});
  }
  count(bench, page.at("transcript"), all, blocks);
  const std::vector<std::string> pages = written_pages(*dialect, frame, drafts);
  for (const std::string& text : pages)
    if (!all.empty()) all.push_back({all[0].source, bench.ids(text)});
  count(bench, page.at("transcript"), all, whole);
  for (const json& crop : page.at("regions")) {
    std::vector<DraftTokens> own;
    for (const Draft& draft : drafts.drafts) {
      const Region* region = region_of(draft, drafts.regions);
      if (!region || region->id != crop.at("id") || draft.text.empty()) continue;
      own.push_back({draft.source, bench.ids(written(question_of(region->kind), draft))});
      Draft plain = draft;
      plain.text = with_plain_quotes(draft.text);
      if (plain.text != draft.text)
        own.push_back({draft.source, bench.ids(written(question_of(region->kind), plain))});
    }
    count(bench, crop.at("transcript"), own, regions);
  }
  return {{"name", page.at("name")},
          {"group", page.at("group")},
          {"page", {{"tokens", whole.tokens}, {"passes", whole.passes}, {"ends", whole.ends}}},
          {"blocks", {{"tokens", blocks.tokens}, {"passes", blocks.passes}}},
          {"region", {{"tokens", regions.tokens}, {"passes", regions.passes}}},
          {"written", pages[0]}};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return std::fprintf(stderr, "usage: see the head of the file\n"), 1;
  at::set_num_threads(1);  // rows are too few for teams
  const Tokenizer tokenizer = Tokenizer::load(argv[2]);
  const Bench bench{tokenizer, argc > 3 ? size_t(std::atoi(argv[3])) : 16};
  for (const json& page : json::parse(std::ifstream(argv[1])))
    std::printf("%s\n", replay(bench, page).dump().c_str());
}
