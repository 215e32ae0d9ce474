#include "cli/report/difference_report.h"

#include <fmt/format.h>

#include <algorithm>

namespace docspec {
namespace {

/// A field of a tab-separated line.
std::string field(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return text;
}

std::string line_of(const std::string& input, int page, int block, const WordReading& word) {
  return fmt::format("{}\t{}\t{}\t{:.1f}\t{:.1f}\t{:.1f}\t{:.1f}\t{}\t{}\t{}\t{}\t{}\t{}\n",
                     field(input), page, block, word.box_pt.x0, word.box_pt.y0, word.box_pt.x1,
                     word.box_pt.y1, name(word.source), field(word.text), field(*word.model),
                     field(word.document.value_or("")), field(word.ocr.value_or("")),
                     field(word.doubtful ? "doubtful: " + word.why : word.why));
}

}  // namespace

DifferenceReport::DifferenceReport(const std::string& path) {
  if (!path.empty()) file_.emplace(path);
}

void DifferenceReport::add(const std::string& input, const Page& page) {
  counts_ += count_letters(page);
  if (!file_) return;
  std::string& lines = lines_[{input, page.page}];
  for (const Block& block : page.blocks)
    for (const WordReading& word : block.words)
      if (word.differs()) lines += line_of(input, page.page, block.id, word);
}

std::string DifferenceReport::summary() const {
  if (counts_.words == 0) return "";
  std::string out =
      fmt::format("letters: {} of {} words differ", counts_.differences(), counts_.words);
  const char* before = ": ";
  const auto add = [&](size_t count, std::string_view what) {
    if (count == 0) return;
    out += fmt::format("{}{} {}", before, count, what);
    before = ", ";
  };
  add(counts_.replaced, "replaced");
  add(counts_.inserted, "the model had left out");
  add(counts_.removed, "taken out");
  add(counts_.unfounded, "only the model has");
  add(counts_.refused, "left as the model has them");
  add(counts_.doubtful, "doubtful numbers");
  return out;
}

void DifferenceReport::finish(const std::vector<std::string>& inputs) {
  if (!file_) return;
  std::string text =
      "input\tpage\tblock\tx0\ty0\tx1\ty1\tsource\ttext\tmodel\tdocument\tocr\twhy\n";
  for (const std::string& input : inputs)
    for (auto it = lines_.lower_bound({input, 0}); it != lines_.end() && it->first.first == input;
         ++it)
      text += it->second;
  file_->commit(text);
}

}  // namespace docspec
