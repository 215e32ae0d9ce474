#include "core/letters/ocr_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "core/base/median.h"
#include "core/text/unicode.h"

namespace docspec {
namespace {

/// At or above this probability a reading of a number is sure, and OCR is of words that the model
/// has left out.
constexpr double kSure = 0.9;

/// The surety of both, for people and for tests/bench/letters_scans.
std::string both(double confidence, float margin) {
  const std::string model = margin < 0 ? "unknown" : fmt::format("{:.2f} nats", margin);
  return fmt::format(" (OCR {:.2f}, model {})", confidence, model);
}

/// The bars and rules of a table in Markdown, which the model wrote as if they were text.
bool is_table_markup(std::string_view text) {
  return text.find_first_not_of("|- ") == text.npos && text.find_first_of("|") != text.npos;
}

void decide(Difference& difference, const std::vector<float>& margins, const Surety* surety) {
  const bool page = difference.b1 > difference.b0, model = difference.a1 > difference.a0;
  const double confidence = page ? difference.confidence : 0;
  float margin = model ? margins[difference.a0] : 0;
  for (size_t a = difference.a0; a < difference.a1; ++a) margin = std::min(margin, margins[a]);
  difference.accepted = false;
  difference.doubtful = difference.number;
  if (!difference.doubt.empty()) {
    difference.why = difference.doubt;
  } else if (difference.blanks) {
    difference.doubtful = false;
    difference.why = "only the blanks differ";
  } else if (!surety || margin < 0) {
    difference.why =
        (surety ? "read apart" : "not measured for this model") + both(confidence, margin);
  } else if (!model) {
    difference.accepted = confidence >= kSure;
    difference.doubtful = difference.number && !difference.accepted;
    difference.why = "only OCR has it" + both(confidence, margin);
  } else if (!page) {  // OCR overlooks words, too
    difference.accepted =
        !difference.number && (double(margin) < surety->lone || is_table_markup(difference.model));
    difference.why = (difference.room ? "OCR does not see it" : "no room for it on the page") +
                     both(confidence, margin);
  } else {
    const double ocr = surety->of_ocr(confidence, double(margin)), most = std::max(ocr, 1 - ocr);
    difference.accepted = ocr > 0.5;
    difference.doubtful = difference.number && most < kSure;
    difference.why =
        fmt::format("{} is {:.2f} sure", difference.accepted ? "OCR" : "the model", most) +
        both(confidence, margin);
  }
}

/// Of OCR's usual word against one with the usual one of the model's margins, 0 where there is
/// none.
double surety_of_ocr(std::span<const Word> ocr, std::vector<double> margins, const Surety& surety) {
  std::vector<double> confidences;
  for (const Word& word : ocr) confidences.push_back(word.confidence);
  return surety.of_ocr(median(std::move(confidences)),
                       margins.empty() ? 0 : median(std::move(margins)));
}

void take_surer_draft(BlockLetters& block, const std::vector<float>& margins, const Draft& draft,
                      const Surety& surety) {
  // A table with a cell too many or too few is wrong in all its rows.
  const double least = block.block().kind == RegionKind::table ? 0.98 : 0.9;
  if (!block.from_model() || draft.words.empty() || block.shared_words() >= least) return;
  if (block.block().kind != RegionKind::table && draft.text.starts_with("<table")) return;
  std::vector<double> known;
  for (const float margin : margins)
    if (margin >= 0) known.push_back(double(margin));
  const double sure = surety_of_ocr(draft.words, std::move(known), surety);
  if (sure > 0.5)
    block.take_draft(draft,
                     fmt::format("few words are the model's, too; OCR is {:.2f} sure", sure));
}

}  // namespace

std::vector<std::vector<float>> margins_of(std::span<const BlockLetters> blocks,
                                           std::span<const ReadWord> read) {
  std::vector<AlignedWord> own, theirs;
  for (const BlockLetters& block : blocks)
    for (const MarkedWord& word : block.words()) own.push_back({fold(word.letters)});
  for (const ReadWord& word : read) theirs.push_back({word.key, false, false, true, false});
  std::vector<float> all(own.size(), -1);
  for (const WordMatch& match : align_words(own, theirs))
    if (match.a1 == match.a0 + 1 && match.b1 > match.b0 && match.distance < 0.5)
      for (size_t b = match.b0; b < match.b1; ++b)
        all[match.a0] = b == match.b0 ? read[b].margin : std::min(all[match.a0], read[b].margin);
  std::vector<std::vector<float>> out;
  auto from = all.begin();
  for (const BlockLetters& block : blocks) {
    out.emplace_back(from, from + ptrdiff_t(block.words().size()));
    from += ptrdiff_t(block.words().size());
  }
  return out;
}

void decide_by_surety(std::vector<BlockLetters>& blocks, std::span<const ReadWord> read,
                      std::span<const Draft* const> drafts, const Surety* surety) {
  auto margins = margins_of(blocks, read);
  std::vector<float> all;
  for (const ReadWord& word : read) all.push_back(word.margin);
  for (size_t i = 0; i < blocks.size(); ++i) {
    // Words that are not found in what the model wrote are as sure as the block's others, or the
    // page's.
    std::vector<float> known = margins[i];
    std::erase_if(known, [](float margin) { return margin < 0; });
    if (known.empty()) known = all;
    if (!known.empty())
      std::replace_if(
          margins[i].begin(), margins[i].end(), [](float m) { return m < 0; }, median(known));
    if (surety && drafts[i]) take_surer_draft(blocks[i], margins[i], *drafts[i], *surety);
    for (Difference& difference : blocks[i].differences()) decide(difference, margins[i], surety);
  }
}

double shared_words(std::span<const ReadWord> read, std::span<const Word> ocr) {
  const auto has_letters = [](const std::u32string& key) {  // and is not a sign, such as "|"
    return std::any_of(key.begin(), key.end(), [](char32_t c) { return is_word(int32_t(c)); });
  };
  std::map<std::u32string, int> left;
  size_t all = 0, shared = 0;
  for (const Word& word : ocr)
    if (const std::u32string key = fold(word.text); has_letters(key)) ++left[key], ++all;
  for (const ReadWord& word : read) {
    if (!has_letters(word.key)) continue;
    ++all;
    if (const auto it = left.find(word.key); it != left.end() && it->second-- > 0) ++shared;
  }
  return all == 0 ? 1 : 2.0 * double(shared) / double(all);
}

bool is_surer(std::span<const Word> ocr, std::span<const ReadWord> read, const Surety& surety) {
  std::vector<double> margins;
  for (const ReadWord& word : read) margins.push_back(double(word.margin));
  return surety_of_ocr(ocr, std::move(margins), surety) > 0.5;
}

}  // namespace docspec
