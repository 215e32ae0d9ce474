#include "core/pipeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <list>
#include <set>
#include <utility>

#include "core/document/page_blocks.h"
#include "core/page_in_progress.h"

namespace docspec {
namespace {

class DraftReader : public PageReader {
 public:
  Task<void> read(DocumentState&, const DraftedPage& drafted, Page& page) override {
    constexpr double kLeastCoverage = 0.9;
    set_blocks_from_drafts(drafted.drafts, page);
    page.coverage = drafted.coverage.value_or(1);
    if (!drafted.doubt.empty()) {
      if (!has_text(drafted.drafts)) page.level = PageLevel::image;
      fall_back(page, drafted.doubt);
    } else if (*page.coverage < kLeastCoverage) {
      fall_back(page, fmt::format("only {:.0f} % of the words found on the page are in its text",
                                  100 * *page.coverage));
    }
    co_return;
  }
};

/// Gives a page of an earlier run the files that on_read adds. Its text is complete: if that fails,
/// the page stays without them. Throws Error(interrupted).
void add_files(const DocumentConversion& conversion, PageWindow<DraftedPage>& window, Page& page) {
  if (conversion.interrupted && *conversion.interrupted)
    throw Error(ExitCode::interrupted, conversion.input->name + ": interrupted");
  try {
    const DraftedPage drafted = window.next();
    if (!drafted.failure) conversion.on_read(drafted, page);
  } catch (const std::exception& e) {
    if (ends_document(e)) throw;
  }
}

/// Pages of an earlier run that are used as they are: of a prompt all or none, since its text is
/// one.
std::set<int> known_pages(const DocumentConversion& conversion) {
  std::set<int> known;
  if (!conversion.earlier) return known;
  const std::vector<int>& pages = conversion.pages;
  const size_t size = conversion.pages_per_prompt;
  for (size_t begin = 0; begin < pages.size(); begin += size) {
    const std::span prompt = std::span(pages).subspan(begin, std::min(size, pages.size() - begin));
    if (std::all_of(prompt.begin(), prompt.end(),
                    [&](int page) { return conversion.earlier->contains(page); }))
      known.insert(prompt.begin(), prompt.end());
  }
  return known;
}

}  // namespace

Task<void> PageReader::read_together(DocumentState& state, std::span<const PageToRead> pages) {
  for (const PageToRead& page : pages) co_await read(state, *page.drafted, *page.page);
}

std::unique_ptr<PageReader> make_draft_reader() {
  return std::make_unique<DraftReader>();
}

PageWindow<DraftedPage> drafted_pages(const DocumentConversion& conversion, std::vector<int> pages,
                                      ThreadLimiter* limiter) {
  const int count = int(pages.size());
  return {count, conversion.workers, conversion.workers + 1,
          [&conversion, pages = std::move(pages)] {
            auto draft = conversion.make_drafter();
            return [&conversion, &pages, draft](int index) {
              std::optional<ThreadBudget::Drafting> drafting;
              if (conversion.threads) drafting.emplace(*conversion.threads);
              return draft(pages[size_t(index)]);
            };
          },
          limiter};
}

Task<Document> convert_document(const DocumentConversion& conversion,
                                DocumentScheduler& scheduler) {
  Document document;
  document.source_file = conversion.input->name;
  document.source_sha256 = conversion.sha256;
  document.source_pages = conversion.page_count;
  document.model = conversion.model;
  const auto state = conversion.reader->begin_document(conversion.input->name);
  const std::set<int> known_ones = known_pages(conversion);
  std::set<int> to_draft;
  for (const int page : conversion.pages)
    if (!known_ones.contains(page) ||
        (conversion.lacks_files && conversion.lacks_files(conversion.earlier->at(page))))
      to_draft.insert(page);
  scheduler.limiter().set_threads(conversion.workers);  // of each document of a run
  auto window = drafted_pages(conversion, {to_draft.begin(), to_draft.end()}, &scheduler.limiter());
  std::list<PageInProgress> in_progress;  // a list: a running task points into its element
  std::vector<PageInProgress*> prompt;    // the pages that the next prompt may hold
  auto reading = std::make_shared<PromptReading>();
  const auto finish_done = [&] {
    for (PageInProgress& page : in_progress)
      if (page.done()) page.finish();
    in_progress.remove_if([](const PageInProgress& page) { return page.done(); });
  };
  document.pages.reserve(conversion.pages.size());  // pages in progress refer to them
  for (const int number : conversion.pages) {
    const bool known = known_ones.contains(number);
    Page& page = document.pages.emplace_back(known ? conversion.earlier->at(number) : Page{});
    page.page = number;
    const auto may_begin = [&] {
      return (conversion.interrupted && *conversion.interrupted) ||
             ((known || conversion.reader->has_free_slot()) && window.ready());
    };
    finish_done();
    while (to_draft.contains(number) && !may_begin()) {
      co_await scheduler.yield();
      finish_done();
    }
    if (!known) {
      PageInProgress& next = in_progress.emplace_back(conversion, page);
      next.take(window, reading);
      if (!next.done()) prompt.push_back(&next);
      const size_t read = document.pages.size();
      if (read % conversion.pages_per_prompt > 0 && read < conversion.pages.size()) continue;
      for (PageInProgress* waiting : std::exchange(prompt, {})) waiting->start(*state);
      reading = std::make_shared<PromptReading>();
      continue;
    }
    if (to_draft.contains(number)) add_files(conversion, window, page);
    if (conversion.on_page) conversion.on_page(page, true);
  }
  for (finish_done(); !in_progress.empty(); finish_done()) co_await scheduler.yield();
  document.stats = conversion.reader->document_stats(*state);
  co_return document;
}

Document convert_document(const DocumentConversion& conversion) {
  DocumentScheduler scheduler(1, [&conversion] { return conversion.reader->run_pass(); });
  std::optional<Document> document;
  const auto convert = [&]() -> Task<void> {
    document.emplace(co_await convert_document(conversion, scheduler));
  };
  bool begun = false;
  scheduler.run([&]() -> std::optional<Task<void>> {
    if (std::exchange(begun, true)) return std::nullopt;
    return convert();
  });
  return std::move(*document);
}

}  // namespace docspec
