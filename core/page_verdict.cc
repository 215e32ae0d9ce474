#include "core/page_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

#include "core/model/vlm.h"
#include "core/text/tokenizer.h"

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

}  // namespace

size_t count_words(std::span<const Draft> drafts) {
  size_t words = 0;
  for (const Draft& draft : drafts) for_each_word(draft.text, [&](const std::string&) { ++words; });
  return words;
}

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

std::string fault(const Job& job, const std::string& text, std::span<const Draft> drafts) {
  if (job.end() == JobEnd::dropped) return "not finished when the page was";
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

PageDrafts with_region_results(const PageDrafts& drafted, const StageResult& regions,
                               const Vlm* witness) {
  PageDrafts out = drafted;
  for (size_t i = 0; i < regions.drafts.size(); ++i) {
    if (!regions.drafts[i].region) continue;  // the page, beside its regions
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

std::string text_of(std::span<const Block> blocks) {
  std::string text;
  for (const Block& block : blocks) text += (block.html ? *block.html : block.text) + '\n';
  return text;
}

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

}  // namespace docspec
