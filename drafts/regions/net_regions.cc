#include "drafts/regions/net_regions.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <string>

#include "core/text/unicode.h"
#include "drafts/grid/cell_text.h"
#include "drafts/latex/account_words.h"
#include "drafts/latex/math_letters.h"
#include "drafts/lines/font_style.h"

namespace docspec {

std::vector<FoundRegion> find_net_regions(const PageNet& net, const PageInput& page) {
  if (!page.image || page.image->empty()) return {};
  std::vector<FoundRegion> regions = net.find(*page.image);
  const double scale = double(page.width_px) / page.image->width_px();
  for (FoundRegion& region : regions)
    region.box = {int(region.box.x0 * scale), int(region.box.y0 * scale),
                  int(region.box.x1 * scale), int(region.box.y1 * scale)};
  std::erase_if(regions, [](const FoundRegion& region) { return region.box.empty(); });
  std::stable_sort(regions.begin(), regions.end(),
                   [](const FoundRegion& a, const FoundRegion& b) { return a.score > b.score; });
  return regions;
}

std::vector<Box> boxes_of(const std::vector<FoundRegion>& regions, RegionKind kind) {
  std::vector<Box> boxes;
  for (const FoundRegion& region : regions)
    if (region.kind == kind && std::none_of(boxes.begin(), boxes.end(), [&](const Box& better) {
          return intersect(better, region.box).area() * 2 >
                 std::min(better.area(), region.box.area());
        }))
      boxes.push_back(region.box);
  return boxes;
}

namespace {

/// Whether a line of OCR is prose: some Chinese characters, a label, or most of it words of three
/// letters and more, in small ones.
bool is_prose(const std::vector<const Word*>& line) {
  constexpr size_t kLetters = 3, kWords = 3, kCjk = 3;
  size_t words = 0, in_words = 0, all = 0, cjk = 0;
  for (const Word* word : line) {
    size_t run = 0, longest = 0, count = 0;
    for (size_t at = 0; at < word->text.size(); ++count) {
      const uint32_t c = next_code_point(word->text, at);
      run = is_latin_letter(c) && !(c < 0x80 && std::isupper(int(c))) ? run + 1 : 0;
      longest = std::max(longest, run);
    }
    all += count;
    cjk += count_cjk(word->text);
    if (longest < kLetters || longest + 2 < count) continue;
    ++words;
    in_words += count;
  }
  const bool mostly = words == kWords ? in_words * 4 > all * 3 : in_words * 2 > all;
  return cjk >= kCjk || (words >= kWords && mostly) || opens_text(line.front()->text);
}

/// Whether OCR's words have no relation between them and are words or long numbers: a heading, an
/// address with its telephone.
bool is_words_alone(const std::vector<const Word*>& words) {
  constexpr size_t kLetters = 4, kDigits = 8;
  size_t in_words = 0, all = 0;
  for (const Word* word : words) {
    size_t letters = 0, digits = 0;
    for (size_t at = 0; at < word->text.size();) {
      const uint32_t c = next_code_point(word->text, at);
      if (is_relation(c)) return false;
      letters = is_latin_letter(c) ? letters + 1 : 0;
      digits = c < 0x80 && std::isdigit(int(c)) ? digits + 1 : 0;
      in_words += letters == kLetters ? kLetters : letters > kLetters ? 1 : 0;
      in_words += digits == kDigits ? kDigits : digits > kDigits ? 1 : 0;
      ++all;
    }
  }
  return in_words * 2 > all;
}

/// The box of a formula that a net sees, around the words whose middle it holds, without lines of
/// prose at its edges; nothing if it holds no sign of a formula, code, an account, or more lines
/// than formulas have.
std::optional<Box> settled_box(const Box& seen, std::span<const Word> words) {
  constexpr size_t kMostLines = 12;
  std::map<int, std::vector<const Word*>> lines;
  std::vector<const Word*> all;
  for (const Word& word : words)
    if (holds_middle(seen, word.box)) {
      if (font_style(word.font).mono) return std::nullopt;
      lines[word.line].push_back(&word), all.push_back(&word);
    }
  if (lines.size() > kMostLines || is_account(all) || is_words_alone(all)) return std::nullopt;
  Box box = seen;
  bool any = lines.empty();
  for (const auto& [number, line] : lines) {
    Box own = line.front()->box;
    for (const Word* word : line) own = unite(own, word->box);
    if (!is_prose(line)) {
      any |= !is_words_alone(line);
      box = unite(box, own);
      continue;
    }
    const int middle = (own.y0 + own.y1) / 2;
    if (middle > (seen.y0 + seen.y1) / 2)
      box.y1 = std::min(box.y1, own.y0);
    else
      box.y0 = std::max(box.y0, own.y1);
  }
  if (!any || box.empty()) return std::nullopt;
  return box;
}

}  // namespace

std::vector<Box> find_seen_formulas(const std::vector<FoundRegion>& seen,
                                    std::span<const Word> words) {
  constexpr double kSure = 0.5;  // of the net
  std::vector<FoundRegion> sure = seen;
  std::erase_if(sure, [](const FoundRegion& region) { return region.score < kSure; });
  std::vector<Box> boxes;
  for (const Box& found : boxes_of(sure, RegionKind::formula))
    if (const auto box = settled_box(found, words)) boxes.push_back(*box);
  for (Box& box : boxes)
    for (const Word& number : words) {
      if (!is_equation_number(number.text) || row_overlap(box, number.box) < 0.5) continue;
      const Box row{std::min(box.x0, number.box.x0), number.box.y0, std::max(box.x1, number.box.x1),
                    number.box.y1};
      const bool alone = std::none_of(words.begin(), words.end(), [&](const Word& word) {
        return &word != &number && holds_middle(row, word.box) && !holds_middle(box, word.box);
      });
      if (alone) box = unite(box, number.box);
    }
  return boxes;
}

int best_cover(const std::vector<FoundRegion>& regions, const Box& box) {
  int best = -1;
  int64_t most = box.area() / 2;
  for (size_t i = 0; i < regions.size(); ++i)  // the better score first
    if (const int64_t shared = intersect(regions[i].box, box).area(); shared > most) {
      most = shared;
      best = int(i);
    }
  return best;
}

RegionKind kind_by_sight(RegionKind by_rules, const std::vector<FoundRegion>& seen, const Box& box,
                         double size) {
  constexpr double kSame = 0.6, kPart = 0.3, kSure = 0.6;  // the part that both boxes share; scores
  constexpr double kRather = 0.5, kTextSure = 0.75, kLarger = 1.15, kTitle = 3;
  if (by_rules != RegionKind::title && by_rules != RegionKind::section_header) return by_rules;
  RegionKind kind = by_rules;
  for (const FoundRegion& region : seen) {  // the better score first
    if (intersect(region.box, box).area() * 2 <= box.area()) continue;
    const double same = iou(region.box, box);
    switch (region.kind) {
      case RegionKind::title:
      case RegionKind::section_header:
      case RegionKind::page_header:
        if (same > kPart) return by_rules;
        break;
      case RegionKind::caption:
        if (same > kSame && region.score >= kSure && kind == by_rules) kind = region.kind;
        break;
      case RegionKind::picture:
      case RegionKind::table:
        if (same < kPart && region.score >= kRather && size < kTitle && kind == by_rules)
          kind = RegionKind::text;
        break;
      default:
        if (same < kPart && region.score >= kTextSure && size < kLarger && kind == by_rules)
          kind = RegionKind::text;
    }
  }
  return kind;
}

void add_seen_footers(std::vector<Place>& places, const std::vector<FoundRegion>& seen,
                      const std::vector<TextLine>& lines, const PageInput& page) {
  constexpr double kFoot = 0.8, kEdge = 0.94;  // of the page's height: of a number, and of words
  constexpr double kSame = 0.6, kSure = 0.6;   // shared parts; scores
  const auto has_letter = [&](int w) {
    const std::string& text = page.words[size_t(w)].text;
    return count_cjk(text) > 0 || std::any_of(text.begin(), text.end(),
                                              [](char c) { return std::isalpha(uint8_t(c)) != 0; });
  };
  const auto is_number = [&](const TextLine& line) {
    return std::none_of(line.words.begin(), line.words.end(), has_letter);
  };
  const auto is_seen = [&](const Box& box) {
    return std::any_of(seen.begin(), seen.end(), [&](const FoundRegion& region) {
      return region.kind == RegionKind::page_footer && region.score >= kSure &&
             iou(region.box, box) > kSame;
    });
  };
  std::vector<Box> numbers;
  for (const TextLine& line : lines)
    if (line.box.y0 > kFoot * page.height_px && is_number(line) && is_seen(line.box))
      numbers.push_back(line.box);
  for (size_t i = 0; i < lines.size(); ++i) {
    const Box& box = lines[i].box;
    const bool beside = std::any_of(numbers.begin(), numbers.end(), [&](const Box& number) {
      return row_overlap(number, box) > 0.5;  // the number itself, too
    });
    if ((beside || box.y0 > kEdge * page.height_px) && is_seen(box)) places[i] = Place::footer;
  }
}

std::vector<TextBlock> parted_by(const std::vector<FoundRegion>& regions,
                                 std::vector<TextBlock> blocks,
                                 const std::vector<TextLine>& lines) {
  if (regions.empty()) return blocks;
  std::vector<TextBlock> parts;
  for (const TextBlock& block : blocks) {
    int last = -1;
    for (const int i : block) {
      const int cover = best_cover(regions, lines[size_t(i)].box);
      if (i == block.front() || (cover != last && cover >= 0 && last >= 0)) parts.emplace_back();
      parts.back().push_back(i);
      if (cover >= 0) last = cover;
    }
  }
  return parts;
}

}  // namespace docspec
