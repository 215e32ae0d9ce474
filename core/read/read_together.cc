// Several pages with one prompt: VlmReader::read_together.
#include <fmt/format.h>

#include <algorithm>
#include <list>

#include "core/model/prompt_set.h"
#include "core/model/vlm.h"
#include "core/read/page_answers.h"
#include "core/read/page_reading.h"
#include "core/read/page_verdict.h"
#include "core/read/runaway_detector.h"
#include "core/text/tokenizer.h"

namespace docspec {
namespace {

/// The engine of a prompt: the limits of a page hold for each of them.
StageEngine engine_of_prompt(StageEngine engine, size_t pages) {
  Generation& generation = engine.generation;
  generation.limits.max_new_tokens *= int64_t(pages);
  if (const int64_t window = engine.vlm.prompts().pages_no_repeat_ngram_window_size(); window > 0)
    generation.processor.no_repeat_ngram_window_size = window;
  return engine;
}

/// Tokens of a runaway answer that stand: those up to where the drafts last agree, and on to a page
/// mark that soon follows, since no draft has marks.
size_t standing_tokens(const Tokenizer& tokenizer, std::span<const int32_t> answer, size_t agreed,
                       const std::string& mark) {
  constexpr size_t kSoon = 32;
  StreamDecoder decoder(tokenizer);
  std::string text;
  for (size_t i = agreed; i < std::min(answer.size(), agreed + kSoon); ++i) {
    text += decoder.push(answer[i]);
    if (text.find(mark) != text.npos) return i + 1;
  }
  return agreed;
}

}  // namespace

Task<void> VlmReader::read_together(DocumentState& state, std::span<const PageToRead> pages) {
  BatchSlot slot(scheduler_);
  std::list<PageReading> own;
  std::vector<PageReading*> readings;
  std::vector<StageInput> inputs;
  for (const PageToRead& page : pages) {
    start_ocr(*page.drafted);
    PageReading& reading = own.emplace_back(*this, static_cast<VlmDocumentState&>(state),
                                            *page.drafted, *page.page, slot, pages.size());
    if (options_.stages.front() == Stage::region) co_await run_one(Stage::region, false, reading);
    readings.push_back(&reading);
    inputs.push_back(reading.input(*page.drafted->image, reading.drafts));
  }
  const StageEngine engine = engine_of_prompt(readings[0]->page_engine, pages.size());
  const StageResult result = co_await read_pages(slot, engine, inputs);
  count_together(result, readings);
  take_answer(result, readings);
  for (PageReading* reading : readings) {
    co_await add_left_out(*reading);
    settle(*reading);
    set_letters(*reading);
  }
}

/// Adds the counts of a prompt to those of run and document, and hands its job to on_job. Its time
/// is that of its pages in equal parts.
void VlmReader::count_together(const StageResult& result, std::span<PageReading* const> readings) {
  page_stats_ += result.stats;
  readings[0]->document.page_stats += result.stats;
  for (const auto& [phase, ms] : result.stats.phase_ms)
    for (PageReading* reading : readings)
      reading->page.timings_ms["page " + phase] += ms / double(readings.size());
  if (options_.on_job) options_.on_job(result.jobs[0]);
}

/// Each part of the answer becomes the blocks of its page if it is accepted. A runaway answer is
/// taken as cut off where it leaves the drafts.
void VlmReader::take_answer(const StageResult& result,
                            std::span<PageReading* const> readings) const {
  const Job& job = result.jobs[0];
  const Tokenizer& tokenizer = engine_.vlm.tokenizer();
  const std::string& mark = engine_.vlm.prompts().page_mark();
  std::span<const int32_t> output = job.output();
  std::string cut = cut_reason(job);
  if (options_.witness) {
    std::vector<std::vector<int32_t>> drafts;
    for (PageReading* reading : readings)
      for (auto& ids : reading->texts.ids(reading->drafted.drafts.drafts))
        drafts.push_back(std::move(ids));
    if (const auto runaway = find_runaway(output, drafts)) {
      cut = fmt::format("the model's text {}: cut after {} tokens, where the drafts last agree",
                        runaway->why, runaway->keep);
      output = output.first(standing_tokens(tokenizer, output, runaway->keep, mark));
    }
  }
  const auto answers = divide_answer(tokenizer, output, mark, readings.size(), cut.empty());
  for (size_t i = 0; i < readings.size(); ++i) {
    const auto& [text, begin, end, complete] = answers[i];
    PageReading& reading = *readings[i];
    if (options_.letters != LetterRule::model)
      reading.words = read_words(tokenizer, output.subspan(begin, end - begin),
                                 job.margins().subspan(begin, end - begin));
    reading.rejection = complete ? rejection_reason(text, reading.drafted.drafts.drafts) : cut;
    if (reading.rejection.empty()) accept(text, reading);
  }
}

}  // namespace docspec
