#include "drafts/regions/bold_blocks.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string>
#include <string_view>

namespace docspec {
namespace {

/// The regions of a page with their lines, read for their bold letters.
class BoldBlocks {
 public:
  BoldBlocks(const std::vector<Region>& regions, const std::vector<TextLine>& lines,
             const std::vector<int>& first, const std::vector<size_t>& rows,
             std::span<const Word> words)
      : regions_(regions), lines_(lines), first_(first), rows_(rows), words_(words) {}

  bool has_lines(size_t i) const {
    return i < regions_.size() && first_[i] >= 0 && line(i).quarter_turns == 0 &&
           !line(i).words.empty();
  }

  bool is_bold(size_t i) const {
    return has_lines(i) && all_lines(i, [](const TextLine& own) { return own.bold; });
  }

  /// Whether a region is a sentence or two in bold italics right above a plain paragraph, and
  /// parted from what stands above.
  bool is_heading_sentence(size_t i) const {
    constexpr size_t kMostRows = 3;
    constexpr double kParted = 0.4;  // em
    if (!has_lines(i) || rows_[i] > kMostRows || regions_[i].kind != RegionKind::text ||
        !all_lines(i, [](const TextLine& own) { return own.bold && own.italic; }))
      return false;
    const std::string& opening = words_[size_t(line(i).words.front())].text;
    const bool parted = i == 0 || regions_[i - 1].box.y1 > regions_[i].box.y0 ||
                        regions_[i].box.y0 - regions_[i - 1].box.y1 > kParted * line(i).size_px;
    return std::isupper(uint8_t(opening[0])) && ends_with_one_of(i, ".?!") && parted &&
           is_paragraph_below(i);
  }

  /// Whether a region is a bold label and its value, in the letters of the bold region before it.
  bool goes_on_in_bold(size_t i) const {
    constexpr double kReach = 3, kSame = 0.05;  // em; of the size
    if (i == 0 || !is_bold(i) || !has_lines(i - 1)) return false;
    const TextLine &own = line(i), &above = line(i - 1);
    const int gap = regions_[i].box.y0 - regions_[i - 1].box.y1;
    const bool labelled = std::any_of(own.words.begin(), own.words.end() - 1, [&](int w) {
      return words_[size_t(w)].text.size() > 1 && words_[size_t(w)].text.ends_with(':');
    });
    return labelled && gap < kReach * own.size_px && regions_[i].box.y0 > regions_[i - 1].box.y0 &&
           std::abs(own.size_px - above.size_px) < kSame * own.size_px &&
           regions_[i].box.x0 < regions_[i - 1].box.x1 &&
           regions_[i].box.x1 > regions_[i - 1].box.x0;
  }

  /// Whether a region is a paragraph in bold letters.
  bool is_bold_paragraph(size_t i) const {
    constexpr size_t kLeastRows = 4;
    return is_bold(i) && rows_[i] >= kLeastRows && regions_[i].kind == RegionKind::text;
  }

 private:
  const TextLine& line(size_t i) const { return lines_[size_t(first_[i])]; }

  template <typename Is>
  bool all_lines(size_t i, Is is) const {
    return std::all_of(lines_.begin(), lines_.end(),
                       [&](const TextLine& own) { return !within(own, i) || is(own); });
  }

  bool within(const TextLine& own, size_t i) const {
    const Box& box = regions_[i].box;
    return own.middle() > box.y0 && own.middle() < box.y1 && own.box.x0 >= box.x0 &&
           own.box.x1 <= box.x1;
  }

  /// Whether the last line of a region ends with one of `marks`.
  bool ends_with_one_of(size_t i, std::string_view marks) const {
    const TextLine* last = &line(i);
    for (const TextLine& own : lines_)
      if (within(own, i) && own.middle() > last->middle()) last = &own;
    if (last->words.empty()) return false;
    const std::string& word = words_[size_t(last->words.back())].text;
    return !word.empty() && marks.find(word.back()) != marks.npos;
  }

  /// Whether long lines of plain text begin right below a region, at its edge or with an indent.
  bool is_paragraph_below(size_t i) const {
    constexpr size_t kLongRow = 50;              // letters
    constexpr double kReach = 2.5, kIndent = 3;  // em
    if (!has_lines(i + 1) || regions_[i + 1].kind != RegionKind::text || rows_[i + 1] < 2)
      return false;
    const TextLine &own = line(i), &below = line(i + 1);
    const int gap = regions_[i + 1].box.y0 - regions_[i].box.y1;
    return !below.bold && !below.italic && below.chars >= kLongRow && gap > -own.size_px &&
           gap < kReach * own.size_px &&
           std::abs(below.box.x0 - own.box.x0) < kIndent * own.size_px;
  }

  const std::vector<Region>& regions_;
  const std::vector<TextLine>& lines_;
  const std::vector<int>& first_;
  const std::vector<size_t>& rows_;
  const std::span<const Word> words_;
};

}  // namespace

void settle_bold_blocks(std::vector<Region>& regions, const std::vector<TextLine>& lines,
                        const std::vector<int>& first, const std::vector<size_t>& rows,
                        std::span<const Word> words) {
  const BoldBlocks blocks(regions, lines, first, rows, words);
  bool in_bold = false;  // a bold paragraph goes on
  for (size_t i = 0; i < regions.size(); ++i) {
    if (blocks.is_heading_sentence(i)) regions[i].kind = RegionKind::section_header;
    in_bold = blocks.is_bold_paragraph(i) || (in_bold && blocks.goes_on_in_bold(i));
    if (in_bold) regions[i].kind = RegionKind::text;
  }
}

}  // namespace docspec
