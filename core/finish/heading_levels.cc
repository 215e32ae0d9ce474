#include <algorithm>
#include <cctype>
#include <map>

#include "core/document/page_blocks.h"
#include "core/finish/finish_document.h"

namespace docspec {
namespace {

constexpr double kSameSize = 1.08;

/// Letters and digits alone, in lower case: what an outline and its heading share.
std::string bare(const std::string& text) {
  std::string out;
  for (char c : text)
    if (std::isalnum(uint8_t(c)) || uint8_t(c) >= 0x80) out += char(std::tolower(uint8_t(c)));
  return out;
}

bool is_heading(const Block& block) {
  return block.kind == RegionKind::section_header && block.font_pt > 0 && !block.text.empty();
}
/// "2.1 Data", "A.1 Proofs", "IV. RESULTS", "B. Sensors".
bool is_numbered(const Block& block) {
  const size_t mark = std::min(block.text.find(". "), block.text.size());
  const std::string number = block.text.substr(0, mark);
  return std::isdigit(uint8_t(block.text[0])) || is_part_of_appendix(block.text) ||
         (mark > 0 && mark < block.text.size() &&
          (number.find_first_not_of("IVX") == number.npos ||
           (mark == 1 && std::isupper(uint8_t(number[0])))));
}

/// Whether an outline has entries below one of its first depth with this bare title.
bool has_entries_below(const std::vector<OutlineEntry>& outline, const std::string& title) {
  for (size_t i = 0; i + 1 < outline.size(); ++i)
    if (outline[i].depth == 1 && bare(outline[i].title) == title) return outline[i + 1].depth > 1;
  return outline.size() == 1;
}

/// Levels by the outline: its first depth is 1 when it names the title and has entries below it,
/// else 2.
std::map<std::string, int> outline_levels(const Document& document,
                                          const std::vector<OutlineEntry>& outline) {
  std::map<std::string, int> levels;
  for (const OutlineEntry& entry : outline) levels.emplace(bare(entry.title), entry.depth + 1);
  for (const Page& page : document.pages)
    for (const Block& block : page.blocks) {
      const auto named = levels.find(bare(block.text));
      if (block.kind != RegionKind::title || named == levels.end() || named->second != 2 ||
          !has_entries_below(outline, named->first))
        continue;
      for (auto& [title, level] : levels) --level;
      return levels;
    }
  return levels;
}

/// The level most often given to headings of one size, by falling size.
class SizeLevels {
 public:
  void add(double size, int level) {
    auto& cluster = find(size);
    if (level > 0) ++cluster.votes[level];
  }

  /// Sizes without a vote come one below the next larger one.
  void settle() {
    std::sort(clusters_.begin(), clusters_.end(),
              [](const Cluster& a, const Cluster& b) { return a.size > b.size; });
    int last = 1;
    for (Cluster& cluster : clusters_) {
      const auto most =
          std::max_element(cluster.votes.begin(), cluster.votes.end(),
                           [](const auto& a, const auto& b) { return a.second < b.second; });
      cluster.level = cluster.votes.empty() ? std::min(last + 1, 6) : most->first;
      last = cluster.level;
    }
  }
  int level(double size) { return find(size).level; }

 private:
  struct Cluster {
    double size = 0;
    std::map<int, int> votes;
    int level = 2;
  };
  Cluster& find(double size) {
    for (Cluster& cluster : clusters_)
      if (size < cluster.size * kSameSize && cluster.size < size * kSameSize) return cluster;
    return clusters_.emplace_back(Cluster{size, {}, 2});
  }
  std::vector<Cluster> clusters_;
};

}  // namespace

void set_heading_levels(Document& document, const std::vector<OutlineEntry>& outline) {
  const auto named = outline_levels(document, outline);
  const auto own_level =
      [&](const Block& block) {  // 0 = given neither by the outline nor by a number
        if (const auto it = named.find(bare(block.text)); it != named.end())
          return std::clamp(it->second, 2, 6);
        return is_numbered(block) ? heading_level(block.kind, block.text) : 0;
      };
  SizeLevels sizes;
  for (const Page& page : document.pages)
    for (const Block& block : page.blocks)
      if (is_heading(block)) sizes.add(block.font_pt, own_level(block));
  sizes.settle();
  for (Page& page : document.pages)
    for (Block& block : page.blocks) {
      if (!is_heading(block)) continue;
      const int own = own_level(block);
      block.level = own > 0 ? own : sizes.level(block.font_pt);
    }
}

}  // namespace docspec
