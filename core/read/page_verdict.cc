#include "core/read/page_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>

#include "core/document/page_blocks.h"
#include "core/model/vlm.h"
#include "core/text/edit_distance.h"
#include "core/text/tokenizer.h"
#include "core/text/unicode.h"

namespace docspec {
namespace {

/// Below this share of the drafts' words, the text is not a reading of the page.
constexpr double kLeastCoverage = 0.2;
constexpr size_t kLeastWords = 5;  ///< fewer words say too little

/// A reading is of low confidence if its tokens are on average fewer nats than this above their
/// runners-up. Of the built-in model's regions that differ from the PDF's text by .3, nine in ten
/// are below it; of those that differ by .05, at most one in ten.
constexpr double kDoubt = 3;
/// Share of letters by which a low-confidence text may differ from the text of the PDF, and from
/// OCR of high confidence.
constexpr double kMostErrors = 0.1, kMostOcrErrors = 0.3;
constexpr double kSureOcr = 0.85;       ///< confidence of a draft
constexpr size_t kLeastOcrLetters = 8;  ///< below this number the confidence of OCR says too little

/// Whether a tag begins at `at`: "<td>", "</td>", not "a < b" or "C</$".
bool begins_tag(std::string_view text, size_t at) {
  if (text[at] != '<') return false;
  const size_t name = at + 1 + size_t(text.substr(at + 1).starts_with('/'));
  if (name >= text.size() || !std::isalpha(uint8_t(text[name]))) return false;
  const size_t end = text.find_first_of("<>\n", name);
  return end != text.npos && text[end] == '>';
}

/// Calls `use` with each part of a text between blanks and tags.
template <typename Use>
void for_each_part(std::string_view text, Use use) {
  size_t begin = 0;
  const auto use_until = [&](size_t end) {
    if (end > begin) use(text.substr(begin, end - begin));
  };
  for (size_t i = 0; i < text.size(); ++i) {
    const bool tag = begins_tag(text, i);
    if (!tag && !std::isspace(uint8_t(text[i]))) continue;
    use_until(i);
    if (tag) i = text.find('>', i);
    begin = i + 1;
  }
  use_until(text.size());
}

/// Calls `use` with each word of a text, without ASCII punctuation and tags.
template <typename Use>
void for_each_word(std::string_view text, Use use) {
  for_each_part(text, [&](std::string_view part) {
    std::string word;
    std::copy_if(part.begin(), part.end(), std::back_inserter(word),
                 [](char c) { return !std::ispunct(uint8_t(c)); });
    if (!word.empty()) use(word);
  });
}

/// Lower-case letters and digits of a text, without its tags and TeX commands.
std::string letters_of(std::string_view text) {
  std::string out;
  bool command = false;
  for_each_part(text, [&](std::string_view part) {
    for (size_t at = 0; at < part.size();) {
      const uint32_t c = next_code_point(part, at);
      const bool letter = c < 128 && std::isalpha(int(c));
      command = c == '\\' || (command && letter);
      if (!command && is_word(int32_t(c)) && c != '_') append_utf8(out, lower_case(c));
    }
    command = false;
  });
  return out;
}

std::vector<Draft> drafts_of(const Region& region, const PageDrafts& all) {
  std::vector<Draft> out;
  std::copy_if(all.drafts.begin(), all.drafts.end(), std::back_inserter(out),
               [&](const Draft& draft) { return draft.region == region.id; });
  return out;
}

/// Words and runs of five letters of a text: what is compared of a region and a block, each taken
/// apart once.
struct TextParts {
  std::map<std::string, int> words;
  int word_count = 0;
  size_t size = 0;             ///< of the text, bytes
  std::vector<uint64_t> runs;  ///< sorted, with repetitions

  explicit TextParts(std::string_view text) : size(text.size()) {
    for_each_word(text, [&](const std::string& word) {
      ++words[word];
      ++word_count;
    });
    constexpr size_t kRun = 5;
    const std::string letters = letters_of(text);
    for (size_t i = 0; i + kRun <= letters.size(); ++i) {
      uint64_t run = 0;
      for (size_t k = i; k < i + kRun; ++k) run = run << 8 | uint8_t(letters[k]);
      runs.push_back(run);
    }
    std::sort(runs.begin(), runs.end());
  }

  /// Share of the words of `of`, with repetitions, that this text has; 0 without words.
  double word_share(const TextParts& of) const {
    int found = 0;
    for (const auto& [word, count] : of.words)
      if (const auto it = words.find(word); it != words.end()) found += std::min(count, it->second);
    return of.word_count == 0 ? 0 : double(found) / of.word_count;
  }

  /// Share of the runs of `of` that this text has: the same text read with some wrong letters has
  /// most of them, another text few.
  double run_share(const TextParts& of) const {
    const auto found = std::count_if(of.runs.begin(), of.runs.end(), [&](uint64_t run) {
      return std::binary_search(runs.begin(), runs.end(), run);
    });
    return of.runs.empty() ? 0 : double(found) / double(of.runs.size());
  }
};

/// The texts of a region, one of each draft.
std::vector<TextParts> parts_of(const std::vector<Draft>& drafts) {
  std::vector<TextParts> out;
  for (const Draft& draft : drafts) out.emplace_back(draft.text);
  return out;
}

/// Those of blocks.
std::vector<TextParts> parts_of(std::span<const Block> blocks) {
  std::vector<TextParts> out;
  for (size_t i = 0; i < blocks.size(); ++i) out.emplace_back(text_of(blocks.subspan(i, 1)));
  return out;
}

/// Share of a region's text that `text` has, by words or by letters, and by the draft that agrees
/// best; 0 without words.
double held_by(const TextParts& text, const std::vector<TextParts>& drafts) {
  double most = 0;
  for (const TextParts& draft : drafts) {
    if (draft.word_count == 0) continue;
    most = std::max(most, text.word_share(draft));
    if (most < 0.5) most = std::max(most, text.run_share(draft));
  }
  return most;
}

/// The block that holds most of a region, if that is more than `least`; of several the shortest.
std::optional<size_t> block_of(const std::vector<TextParts>& region,
                               const std::vector<TextParts>& blocks, double least) {
  std::optional<size_t> found;
  double most = least;
  for (size_t i = 0; i < blocks.size(); ++i) {
    const double held = held_by(blocks[i], region);
    if (held < most || held <= least) continue;
    if (held == most && found && blocks[i].size >= blocks[*found].size) continue;
    found = i;
    most = held;
  }
  return found;
}

/// Sizes in letters of the blocks whose text no draft has: what they read was drafted as another.
std::vector<size_t> undrafted_blocks(std::span<const Block> blocks, const PageDrafts& known) {
  std::string drafted;
  for (const Draft& draft : known.drafts) drafted += draft.text + '\n';
  const TextParts all(drafted);
  std::vector<size_t> out;
  for (size_t i = 0; i < blocks.size(); ++i) {
    const std::string text = text_of(blocks.subspan(i, 1));
    if (held_by(all, {TextParts(text)}) < 0.5) out.push_back(letters_of(text).size());
  }
  return out;
}

/// Whether the region of a draft is among those of `drafts`.
bool has_region_of(const Draft& draft, const PageDrafts& drafts) {
  return std::any_of(drafts.regions.begin(), drafts.regions.end(),
                     [&](const Region& region) { return region.id == draft.region; });
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

std::string cut_reason(const Job& job) {
  if (job.end() == JobEnd::dropped) return "not finished when the page was";
  if (job.end() == JobEnd::length)
    return fmt::format("the model's text was cut off at the limit of {} tokens",
                       job.output().size());
  return "";
}

std::string rejection_reason(const Job& job, const std::string& text,
                             std::span<const Draft> drafts) {
  const std::string cut = cut_reason(job);
  return cut.empty() ? rejection_reason(text, drafts) : cut;
}

std::string rejection_reason(const std::string& text, std::span<const Draft> drafts) {
  const size_t words = count_words(drafts);
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    return words > 0 ? "the model wrote nothing" : "";
  const double coverage = word_coverage(drafts, text);
  if (words >= kLeastWords && coverage < kLeastCoverage)
    return fmt::format("the model's text holds {:.0f} % of the page's drafted words",
                       100 * coverage);
  return "";
}

bool contradicts_reliable_draft(RegionKind kind, const std::string& text,
                                std::span<const float> margins, std::span<const Draft> drafts) {
  if (kind == RegionKind::table || kind == RegionKind::formula || kind == RegionKind::picture)
    return false;
  const double sum = std::accumulate(margins.begin(), margins.end(), 0.0);
  if (sum >= kDoubt * double(margins.size())) return false;
  const std::string letters = letters_of(text);
  return std::any_of(drafts.begin(), drafts.end(), [&](const Draft& draft) {
    const bool own = draft.source == "text-layer";
    if (!own && draft.confidence < kSureOcr) return false;
    const std::string drafted = letters_of(draft.text);
    if (drafted.empty() || (!own && drafted.size() < kLeastOcrLetters)) return false;
    return normalized_edit_distance(drafted, letters) > (own ? kMostErrors : kMostOcrErrors);
  });
}

bool lacks_cells(const std::string& table, std::span<const Draft> drafts) {
  constexpr double kLeast = 0.8;  // of the letters; a model may merge or drop a caption's line
  const size_t letters = letters_of(table).size();
  return std::any_of(drafts.begin(), drafts.end(), [&](const Draft& draft) {
    return (draft.source == "text-layer" || draft.confidence >= kSureOcr) &&
           double(letters) < kLeast * double(letters_of(draft.text).size());
  });
}

RegionResults with_region_results(const PageDrafts& drafted, const StageResult& regions,
                                  TokenizedTexts* witness) {
  RegionResults out{drafted};
  std::vector<Draft>& drafts = out.drafts.drafts;
  for (size_t i = 0; i < regions.drafts.size(); ++i) {
    const Draft& read = regions.drafts[i];
    if (!read.region) continue;  // of the page, not of a region
    std::vector<Draft> same;
    for (const Draft& draft : drafted.drafts)
      if (draft.region == read.region) same.push_back(draft);
    const auto region = std::find_if(drafted.regions.begin(), drafted.regions.end(),
                                     [&](const Region& known) { return known.id == read.region; });
    ++out.read;
    const auto contradicts = [&] {
      if (region == drafted.regions.end()) return false;
      return region->kind == RegionKind::table
                 ? lacks_cells(read.text, same)
                 : contradicts_reliable_draft(region->kind, read.text, regions.jobs[i].margins(),
                                              same);
    };
    const bool stands = rejection_reason(regions.jobs[i], read.text, same).empty() &&
                        (!witness || (!find_runaway(regions.jobs[i].output(), witness->ids(same)) &&
                                      !contradicts()));
    if (!stands) {
      ++out.refused;
      continue;
    }
    std::erase_if(drafts, [&](const Draft& draft) { return draft.region == read.region; });
    drafts.push_back(read);
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
  const TextParts text(text_of(blocks));
  std::erase_if(rest.regions, [&](const Region& region) {
    const std::vector<Draft> own = drafts_of(region, known);
    return count_words(own) > 0 ? held_by(text, parts_of(own)) >= 0.5 : !blocks.empty();
  });
  std::erase_if(rest.drafts, [&](const Draft& draft) {
    return draft.region ? !has_region_of(draft, rest) : !blocks.empty();
  });
  return rest;
}

PageDrafts left_out(std::span<const Block> blocks, const PageDrafts& some,
                    const PageDrafts& known) {
  constexpr size_t kLeast = 3;  // words
  PageDrafts rest = not_in(blocks, some);
  std::erase_if(rest.drafts, [](const Draft& draft) {
    return draft.source != "verified" && draft.source != "text-layer" &&
           draft.confidence < kSureOcr;
  });
  std::erase_if(rest.regions, [&](const Region& region) {
    return region.kind == RegionKind::formula || region.kind == RegionKind::picture ||
           region.kind == RegionKind::page_header || region.kind == RegionKind::page_footer ||
           count_words(drafts_of(region, rest)) < kLeast;
  });
  std::vector<size_t> others;
  if (!rest.regions.empty()) others = undrafted_blocks(blocks, known);
  std::erase_if(rest.regions, [&](const Region& region) {  // read there as something else
    const size_t letters = letters_of(drafts_of(region, rest)[0].text).size();
    const auto other = std::find_if(others.begin(), others.end(), [&](size_t size) {
      return size < 2 * letters && letters < 2 * size;
    });
    if (other == others.end()) return false;
    others.erase(other);
    return true;
  });
  std::erase_if(rest.drafts, [&](const Draft& draft) { return !has_region_of(draft, rest); });
  return rest;
}

void put_in_place(const PageDrafts& more, const PageDrafts& known, std::vector<Block>& blocks) {
  std::vector<const Region*> order;
  for (const Region& region : known.regions) order.push_back(&region);
  std::stable_sort(order.begin(), order.end(),
                   [](const Region* a, const Region* b) { return a->order < b->order; });
  size_t at = 0;  // after the region before
  for (const Region* region : order) {
    const bool there = std::any_of(more.regions.begin(), more.regions.end(),
                                   [&](const Region& one) { return one.id == region->id; });
    if (there) {
      PageDrafts one = more;
      one.regions = {*region};
      one.drafts = drafts_of(*region, more);
      for (Block& block : page_blocks(one).blocks)
        blocks.insert(blocks.begin() + std::ptrdiff_t(at++), std::move(block));
      continue;
    }
    if (const auto block = block_of(parts_of(drafts_of(*region, known)),
                                    parts_of(std::span<const Block>(blocks)), 0.5))
      at = *block + 1;
  }
  number_blocks(blocks);
}

void take_places(const PageDrafts& known, std::vector<Block>& blocks) {
  constexpr double kWhole = 0.65;  // a region of two blocks says where neither is
  std::vector<Box> boxes(blocks.size());
  std::vector<int> words(blocks.size());
  const std::vector<TextParts> texts = parts_of(std::span<const Block>(blocks));
  std::vector<TextParts> open = texts;  // but full blocks: a page may have a paragraph twice
  for (const Region& region : known.regions) {
    const std::vector<Draft> drafts = drafts_of(region, known);
    const std::vector<TextParts> own = parts_of(drafts);
    const auto block = block_of(own, open, kWhole);
    if (!block) continue;
    words[*block] += own[0].word_count;
    if (10 * words[*block] > 9 * texts[*block].word_count) open[*block] = TextParts("");
    boxes[*block] = unite(boxes[*block], region.box);
    Block& found = blocks[*block];
    if (region.kind == RegionKind::list_item && found.kind == RegionKind::text &&
        drafts[0].source == "text-layer" && texts[*block].word_count <= own[0].word_count + 1)
      found.kind = RegionKind::list_item;
  }
  for (size_t i = 0; i < blocks.size(); ++i)
    if (!boxes[i].empty() && 2 * words[i] > texts[i].word_count)
      blocks[i].box_pt = make_block({.box = boxes[i]}, nullptr, known.dpi).box_pt;
}

}  // namespace docspec
