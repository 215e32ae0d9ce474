#include "core/vlm_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/error.h"
#include "core/model/vlm.h"
#include "core/page_blocks.h"
#include "core/text/tokenizer.h"
#include "core/witness.h"

namespace docspec {
namespace {

/// Below this share of the drafts' words a model has not read this page.
constexpr double kLeastCoverage = 0.2;
constexpr size_t kLeastWords = 5;  ///< with fewer there is little to judge by

/// Calls `use` with each word of a text: without ASCII punctuation, tags skipped.
template <typename Use>
void for_each_word(std::string_view text, Use use) {
  std::string word;
  bool in_tag = false;
  for (size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ' ';
    if (c == '<' && i + 1 < text.size() &&
        (std::isalpha(uint8_t(text[i + 1])) || text[i + 1] == '/'))
      in_tag = true;
    if (in_tag || std::isspace(uint8_t(c))) {
      if (!word.empty()) use(std::exchange(word, {}));
      in_tag &= c != '>';
    } else if (!std::ispunct(uint8_t(c))) {
      word += c;
    }
  }
}

size_t count_words(std::span<const Draft> drafts) {
  size_t words = 0;
  for (const Draft& draft : drafts) for_each_word(draft.text, [&](const std::string&) { ++words; });
  return words;
}

/// Why a finished text cannot stand as the page's, "" when it can.
std::string fault(const Job& job, const std::string& text, std::span<const Draft> drafts) {
  if (job.end() == JobEnd::length)
    return fmt::format("the model's text was cut off at the limit of {} tokens",
                       job.output().size());
  const size_t words = count_words(drafts);
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    return words > 0 ? "the model wrote nothing" : "";
  const double coverage = word_coverage(drafts, text);
  if (words >= kLeastWords && coverage < kLeastCoverage)
    return fmt::format("the model's text holds {:.0f} % of the page's drafted words",
                       100 * coverage);
  return "";
}

std::vector<TokenIds> ids_of(const Vlm& vlm, std::span<const Draft> drafts) {
  std::vector<TokenIds> out;
  for (const Draft& draft : drafts)
    if (!draft.text.empty()) out.push_back(vlm.tokenizer().encode(draft.text, false));
  return out;
}

/// Region results where they can stand, drafts elsewhere.
PageDrafts with_region_results(const PageDrafts& drafted, const StageResult& regions,
                               const Vlm* witness) {
  PageDrafts out = drafted;
  for (size_t i = 0; i < regions.drafts.size(); ++i) {
    std::vector<Draft> same;
    for (const Draft& draft : drafted.drafts)
      if (draft.region == regions.drafts[i].region) same.push_back(draft);
    if (!fault(regions.jobs[i], regions.drafts[i].text, same).empty()) continue;
    if (witness && find_run_away(regions.jobs[i].output(), ids_of(*witness, same))) continue;
    std::erase_if(out.drafts, [&](const Draft& d) { return d.region == regions.drafts[i].region; });
    out.drafts.push_back(regions.drafts[i]);
  }
  return out;
}

bool any_verified(const PageDrafts& drafts) {
  return std::any_of(drafts.drafts.begin(), drafts.drafts.end(),
                     [](const Draft& draft) { return draft.source == "verified"; });
}

std::vector<Block> model_blocks(const StageEngine& engine, const DraftedPage& drafted,
                                std::string_view text) {
  std::vector<Block> blocks =
      engine.dialect.parse_page(text, model_frame(engine.vlm, *drafted.image));
  for (size_t i = 0; i < blocks.size(); ++i) {
    blocks[i].id = blocks[i].order = int(i);
    blocks[i].source = engine.vlm.info().family;
    blocks[i].markdown_text = true;
  }
  return blocks;
}

std::string text_of(std::span<const Block> blocks) {
  std::string text;
  for (const Block& block : blocks) text += (block.html ? *block.html : block.text) + '\n';
  return text;
}

/// The regions of `known` whose text is not in `blocks`, with their drafts.
PageDrafts not_in(std::span<const Block> blocks, const PageDrafts& known) {
  PageDrafts rest = known;
  const std::string text = text_of(blocks);
  std::erase_if(rest.regions, [&](const Region& region) {
    std::vector<Draft> own;
    for (const Draft& draft : known.drafts)
      if (draft.region == region.id) own.push_back(draft);
    return count_words(own) > 0 ? word_coverage(own, text) >= 0.5 : !blocks.empty();
  });
  std::erase_if(rest.drafts, [&](const Draft& draft) {
    if (!draft.region) return !blocks.empty();
    return std::none_of(rest.regions.begin(), rest.regions.end(),
                        [&](const Region& region) { return region.id == draft.region; });
  });
  return rest;
}

}  // namespace

double word_coverage(std::span<const Draft> drafts, std::string_view text) {
  std::map<std::string, int> there;
  for_each_word(text, [&](const std::string& word) { ++there[word]; });
  size_t words = 0, found = 0;
  for (const Draft& draft : drafts)
    for_each_word(draft.text, [&](const std::string& word) {
      ++words;
      if (const auto it = there.find(word); it != there.end() && it->second-- > 0) ++found;
    });
  return words == 0 ? 1 : double(found) / double(words);
}

VlmReader::VlmReader(const StageEngine& engine, VlmReaderOptions options)
    : engine_(engine), options_(std::move(options)) {}

std::string VlmReader::take_stats_json() {
  const nlohmann::json json = {{"exactness", options_.exact ? "exact" : "approximate"},
                               {"page", to_json(std::exchange(document_, {}))},
                               {"region", to_json(std::exchange(document_regions_, {}))}};
  return json.dump();
}

/// The baseline: one plain decode of the page, its passes unpadded so that it is not slowed.
void VlmReader::read_plain(const DraftedPage& drafted, BenchPage& bench) {
  StageEngine plain = engine_;
  plain.proposers = {};
  plain.decode.pass.padded = false;
  const StageResult result = run_stage(Stage::page, plain, {&*drafted.image, {}, {}});
  bench.baseline = result.stats;
  const auto output = result.jobs[0].output();
  bench.baseline_ids.assign(output.begin(), output.end());
  const auto margins = result.jobs[0].margins();
  bench.baseline_margins.assign(margins.begin(), margins.end());
}

/// Regions of `rest` read alone where no stage has read them yet. Not traced or counted: ids and
/// figures are those before the witness.
PageDrafts VlmReader::read_alone(const DraftedPage& drafted, PageDrafts rest) const {
  PageDrafts unread = rest;
  std::erase_if(unread.regions, [&](const Region& region) {
    return std::any_of(rest.drafts.begin(), rest.drafts.end(), [&](const Draft& draft) {
      return draft.source == "verified" && draft.region == region.id;
    });
  });
  if (unread.regions.empty()) return rest;
  const StageResult result =
      run_stage(Stage::region, engine_, {&*drafted.image, unread.regions, unread.drafts});
  return with_region_results(rest, result, &engine_.vlm);
}

/// Why the page's text ran away, where it did; `page` then holds what is left: the text up to the
/// last agreed point and the regions that are not in it.
std::optional<std::string> VlmReader::judge_page(const DraftedPage& drafted,
                                                 const StageResult& result, const PageDrafts& known,
                                                 Page& page) const {
  const auto output = result.jobs[0].output();
  const auto away = find_run_away(output, ids_of(engine_.vlm, drafted.drafts.drafts));
  if (!away) return std::nullopt;
  if (away->keep > 0)
    page.blocks = model_blocks(engine_, drafted,
                               engine_.vlm.tokenizer().decode(output.first(away->keep), true));
  PageDrafts rest = not_in(page.blocks, known);
  const size_t regions = rest.regions.size();
  rest = read_alone(drafted, std::move(rest));
  PageBlocks more = page_blocks(rest);
  page.level = any_verified(rest) ? PageLevel::region : regions == 0 ? PageLevel::vlm : more.level;
  for (Block& block : more.blocks) page.blocks.push_back(std::move(block));
  for (size_t i = 0; i < page.blocks.size(); ++i) page.blocks[i].id = page.blocks[i].order = int(i);
  return fmt::format(
      "the model's text {}: cut after {} tokens, where the drafts last agree; {} region{} read "
      "alone",
      away->why, away->keep, regions, regions == 1 ? "" : "s");
}

double VlmReader::page_seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - page_begin_).count();
}

void VlmReader::read(const DraftedPage& drafted, Page& page) {
  page_begin_ = std::chrono::steady_clock::now();
  if (options_.witness && drafted.blank) {  // a model would invent text
    page.level = PageLevel::draft;
    page.coverage = 1;
    return;
  }
  BenchPage bench;
  bench.input = input_;
  bench.page = page.page;
  for (const auto& [phase, ms] : drafted.timings_ms)
    (phase == "raster" ? bench.raster_ms : bench.draft_ms) += ms;
  if (options_.bench) {
    if (options_.threads) options_.threads->wait_until_no_draft();
    read_plain(drafted, bench);
  }

  PageDrafts known = drafted.drafts;
  std::string why;
  for (const Stage stage : options_.stages) {
    const StageResult result =
        run_stage(stage, engine_, {&*drafted.image, known.regions, known.drafts});
    for (const Job& job : result.jobs)
      if (options_.on_job) options_.on_job(job);
    double stage_ms = 0;
    for (const auto& [phase, ms] : result.stats.phase_ms) {
      page.timings_ms[(stage == Stage::region ? "region " : "page ") + phase] += ms;
      stage_ms += ms;
    }
    if (stage == Stage::region) {
      region_stats_ += result.stats;
      document_regions_ += result.stats;
      bench.region = result.stats;
      bench.region_ms = stage_ms;
      known = with_region_results(known, result, options_.witness ? &engine_.vlm : nullptr);
      continue;
    }
    stats_ += result.stats;
    document_ += result.stats;
    bench.run = result.stats;
    const auto output = result.jobs[0].output();
    bench.run_ids.assign(output.begin(), output.end());
    if (options_.witness) {
      if (const auto away = judge_page(drafted, result, known, page)) {
        page.status = PageStatus::fallback;
        page.failure = Failure{ExitCode::partial, *away};
        break;
      }
    }
    why = fault(result.jobs[0], result.drafts[0].text, drafted.drafts.drafts);
    if (!why.empty()) continue;
    page.coverage = word_coverage(drafted.drafts.drafts, result.drafts[0].text);
    page.blocks = model_blocks(engine_, drafted, result.drafts[0].text);
    page.level = PageLevel::vlm;
  }
  if (options_.bench) bench_pages_.push_back(std::move(bench));
  if (page.status == PageStatus::fallback)
    page.coverage = word_coverage(drafted.drafts.drafts, text_of(page.blocks));
  if (page.level == PageLevel::vlm || page.status == PageStatus::fallback) return;
  take_blocks(known, page);
  page.coverage = word_coverage(drafted.drafts.drafts, text_of(page.blocks));
  if (any_verified(known)) page.level = PageLevel::region;
  if (why.empty() && !any_verified(known) && !known.regions.empty())
    why = "no region result of the model could stand";
  if (why.empty()) return;
  page.status = PageStatus::fallback;
  page.failure = Failure{ExitCode::partial, why};
}

}  // namespace docspec
