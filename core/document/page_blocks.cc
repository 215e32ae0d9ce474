#include "core/document/page_blocks.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "core/base/median.h"
#include "core/document/sentences.h"
#include "core/text/printable.h"
#include "core/text/unicode.h"

namespace docspec {
namespace {

/// Mean confidence of a draft's words below which less than half of them are right.
constexpr double kUnsure = 0.5;

/// Rank of a source, best first; unknown ones follow in their order.
int rank(const Draft& draft) {
  if (draft.source == "replay") return 0;
  if (draft.source == "text-layer") return 1;
  return 2;
}

const Draft* best_draft(const PageDrafts& page, const Region& region) {
  const Draft* best = nullptr;
  for (const Draft& draft : page.drafts)
    if (draft.region == region.id && !draft.text.empty() && (!best || rank(draft) < rank(*best)))
      best = &draft;
  return best;
}

PointBox to_points(const Box& box, double dpi) {
  const double scale = dpi > 0 ? 72 / dpi : 1;
  return {box.x0 * scale, box.y0 * scale, box.x1 * scale, box.y1 * scale};
}

/// The text of a table's HTML: cells apart by a space, rows by a line.
std::string text_of_html_table(std::string_view html) {
  std::string text;
  for (size_t at = 0; at < html.size();) {
    const std::string_view rest = html.substr(at);
    if (rest.starts_with("</tr>")) {
      while (text.ends_with(' ')) text.pop_back();
      text += '\n';
    }
    if (rest.starts_with("</td>") || rest.starts_with("</th>")) text += ' ';
    if (rest[0] == '<') {
      at += std::min(rest.find('>'), rest.size() - 1) + 1;
      continue;
    }
    static constexpr std::pair<std::string_view, char> kEntities[] = {
        {"&amp;", '&'}, {"&lt;", '<'}, {"&gt;", '>'}};
    const auto entity = std::find_if(std::begin(kEntities), std::end(kEntities),
                                     [&](const auto& e) { return rest.starts_with(e.first); });
    text += entity == std::end(kEntities) ? rest[0] : entity->second;
    at += entity == std::end(kEntities) ? 1 : entity->first.size();
  }
  while (text.ends_with('\n') || text.ends_with(' ')) text.pop_back();
  return text;
}

/// The formula between $$ and $$ or \\[ and \\]; nullopt if the text is not LaTeX.
std::optional<std::string> display_latex(std::string_view text) {
  for (const auto& [open, close] :
       {std::pair<std::string_view, std::string_view>{"$$", "$$"}, {"\\[", "\\]"}}) {
    if (text.size() < 5 || !text.starts_with(open) || !text.ends_with(close)) continue;
    text = text.substr(2, text.size() - 4);
    const size_t from = text.find_first_not_of(" \n"), to = text.find_last_not_of(" \n");
    return from == text.npos ? std::nullopt
                             : std::optional(std::string(text.substr(from, to + 1 - from)));
  }
  return std::nullopt;
}

/// A model that is asked for a formula may leave the marks out; commands and indices tell LaTeX
/// from words.
std::optional<std::string> latex_of(const std::string& text, bool verified) {
  if (auto latex = display_latex(text)) return latex;
  return verified && text.find_first_of("\\^_") != text.npos ? std::optional(text) : std::nullopt;
}

/// Whether a word is the rest of one that a larger capital begins, in small capitals.
bool goes_on_smaller(const Word& capital, const Word& word) {
  return capital.text.size() == 1 && std::isupper(uint8_t(capital.text[0])) &&
         capital.box.height() > word.box.height() && word.box.y0 >= capital.box.y0 &&
         word.box.y1 <= capital.box.y1 && word.box.x0 - capital.box.x1 < word.box.height() / 8;
}

/// Median height of a draft's words, which the text layer gives as that of the font; 0 where the
/// source sees only the letters' ink (OCR). Small capitals count as their capital.
double font_height(const Draft& draft) {
  if (draft.source != "text-layer" || draft.words.empty()) return 0;
  std::vector<int> heights;
  for (size_t i = 0; i < draft.words.size(); ++i) {
    const bool small = i > 0 && goes_on_smaller(draft.words[i - 1], draft.words[i]);
    heights.push_back(draft.words[i - small].box.height());
  }
  return median(std::move(heights));
}

/// One block on its way to the page, with what its region and draft tell about it.
struct Placed {
  Block block;
  Box box;
  double height_px = 0;
};

/// Headings without a number: the largest of the page have level 2, each smaller size one more.
void set_levels_by_size(std::vector<Placed>& placed) {
  constexpr double kSame = 1.08;
  const auto unnumbered = [](const Placed& p) {
    return p.block.kind == RegionKind::section_header && p.height_px > 0 && !p.block.text.empty() &&
           !std::isdigit(uint8_t(p.block.text[0])) && !is_part_of_appendix(p.block.text);
  };
  std::vector<double> sizes;  // one a cluster, falling
  for (const Placed& p : placed)
    if (unnumbered(p)) sizes.push_back(p.height_px);
  std::sort(sizes.rbegin(), sizes.rend());
  sizes.erase(
      std::unique(sizes.begin(), sizes.end(), [](double a, double b) { return a < kSame * b; }),
      sizes.end());
  for (Placed& p : placed)
    if (unnumbered(p)) {
      const auto larger = std::count_if(
          sizes.begin(), sizes.end(), [&](double height) { return height >= kSame * p.height_px; });
      p.block.level = std::min(int(larger) + 2, 6);
    }
}

/// "3 Architecture" above "3.1 Overview" is a section, and no title.
void settle_numbered_titles(std::vector<Placed>& placed) {
  for (Placed& title : placed) {
    const std::string_view text = title.block.text;
    const size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
    if (title.block.kind != RegionKind::title || digits == 0 || digits == text.size()) continue;
    const std::string part = std::string(text.substr(0, digits)) + '.';
    const bool has_parts = std::any_of(placed.begin(), placed.end(), [&](const Placed& other) {
      const std::string& name = other.block.text;
      return other.block.kind == RegionKind::section_header && name.starts_with(part) &&
             name.size() > part.size() && std::isdigit(uint8_t(name[part.size()])) != 0;
    });
    if (!has_parts) continue;
    title.block.kind = RegionKind::section_header;
    title.block.level = heading_level(title.block.kind, text);
  }
}

/// Whether `next` follows `last` line upon line, and a picture next to one of them takes the rest
/// of the width of the other: text that begins or ends to run around it.
bool turns_at_picture(const Box& last, const Box& next, double em, const PageDrafts& page) {
  if (std::abs(next.y0 - last.y1) >= 0.5 * em) return false;
  const Box& narrow = last.width() < next.width() ? last : next;
  const Box wide = unite(last, next), band{wide.x0, narrow.y0, wide.x1, narrow.y1};
  return std::any_of(page.regions.begin(), page.regions.end(), [&](const Region& region) {
    const Box beside = intersect(region.box, band);
    return region.kind == RegionKind::picture && beside.width() > 3 * em &&
           beside.height() > 2 * em && intersect(beside, narrow).area() * 10 < beside.area();
  });
}

/// Whether a text begins with the raised number or the dagger of a footnote.
bool opens_note(std::string_view text) {
  const uint32_t c = first_code_point(text);
  return c == 0xB9 || c == 0xB2 || c == 0xB3 || (c >= 0x2070 && c <= 0x2079) || c == 0x2020 ||
         c == 0x2021;
}

/// Whether a block stands between two parts of a paragraph: figures, tables and notes at the head
/// or the foot of its columns.
bool is_float(const Block& block) {
  const RegionKind kind = block.kind;
  return kind == RegionKind::picture || kind == RegionKind::caption || kind == RegionKind::table ||
         kind == RegionKind::footnote || (kind == RegionKind::text && opens_note(block.text));
}

/// Whether `next`, at the top of a column further right or at a turn around a picture, continues
/// the sentence of `last`.
bool continues(const Placed& last, const Placed& next, const PageDrafts& page) {
  const bool prose =
      next.block.kind == RegionKind::text &&
      (last.block.kind == RegionKind::text || last.block.kind == RegionKind::list_item);
  if (!prose || last.block.text.empty() || last.block.source != next.block.source) return false;
  const bool next_column = next.box.x0 >= last.box.x1 && next.box.y0 < last.box.y0;
  const bool same_size = std::abs(last.height_px - next.height_px) <= 0.08 * last.height_px;
  const bool open = std::string_view(".:;!?\"").find(last.block.text.back()) == std::string::npos;
  return (next_column || turns_at_picture(last.box, next.box, last.height_px, page)) && same_size &&
         open && sentence_goes_on(last.block.text, next.block.text);
}

/// Whether `block` is a note at the foot of a column, below text that breaks off within a sentence:
/// it ends a sentence itself, and is set smaller than that text or apart from it. So is a notice of
/// where a paper appears, or the rest of a note of the page before, which has no mark.
bool is_foot_of(const Placed& block, const Placed& text) {
  constexpr double kSmaller = 0.95;
  const std::string& own = block.block.text;
  const bool ends = !own.empty() && std::string_view(".?!").find(own.back()) != std::string::npos;
  const bool below =
      block.box.y0 >= text.box.y1 && block.box.x0 < text.box.x1 && block.box.x1 > text.box.x0;
  const bool apart =
      block.height_px < kSmaller * text.height_px || block.box.y0 - text.box.y1 > text.height_px;
  return block.block.kind == RegionKind::text && ends && below && apart;
}

/// Whether the left edge of an item is certain: it has no number, whose width varies ("9." above
/// "10."), and was not read from a scan.
bool has_firm_edge(const Block& item) {
  const std::string_view mark = std::string_view(item.text).substr(0, item.text.find(' '));
  return item.source == "text-layer" && !mark.empty() && !std::isdigit(uint8_t(mark[0])) &&
         mark[0] != '(' && mark[0] != '[' && mark.back() != '.' && mark.back() != ')';
}

/// List items one below another are nested where the later one is indented.
void set_depths(std::vector<Placed>& placed) {
  constexpr double kIndent = 0.6, kFirmIndent = 0.3;  // of the letters' height
  std::vector<int> left;  // edges of the open items, the outermost first
  int bottom = 0;
  for (Placed& p : placed) {
    if (p.block.kind != RegionKind::list_item || p.box.y0 < bottom) left.clear();
    if (p.block.kind != RegionKind::list_item) continue;
    const double indent = (has_firm_edge(p.block) ? kFirmIndent : kIndent) *
                          (p.height_px > 0 ? p.height_px : p.box.height());
    const auto is_nearer = [&] {  // to the item above
      return std::abs(p.box.x0 - left[left.size() - 2]) < std::abs(p.box.x0 - left.back());
    };
    while (left.size() > 1 && is_nearer()) left.pop_back();
    if (left.size() == 1 && p.box.x0 < left.back() - indent) left.clear();
    if (left.empty() || p.box.x0 > left.back() + indent) left.push_back(p.box.x0);
    p.block.depth = int(left.size()) - 1;
    bottom = p.box.y0;
  }
}

/// Appends the text of a paragraph's second part; its box stays that of the first.
void append(Block& block, const Block& next) {
  const size_t size = block.text.size();
  const bool hyphen =
      size > 1 && block.text.back() == '-' && std::isalpha(uint8_t(block.text[size - 2]));
  if (hyphen)
    block.text.pop_back();
  else if (!goes_on_in_cjk(block.text, next.text))
    block.text += ' ';
  for (TextMark& mark : block.marks) mark.to = std::min(mark.to, block.text.size());
  for (TextMark mark : next.marks) {
    mark.from += block.text.size();
    mark.to += block.text.size();
    block.marks.push_back(std::move(mark));
  }
  block.text += next.text;
}

/// The blocks of regions in their order, parts of one paragraph joined.
std::vector<Placed> placed_blocks(const PageDrafts& page,
                                  const std::vector<const Region*>& regions) {
  std::vector<Placed> placed;
  for (const Region* region : regions) {
    const Draft* draft = best_draft(page, *region);
    if (!draft && region->kind != RegionKind::picture) continue;
    Placed next{make_block(*region, draft, page.dpi), region->box, draft ? font_height(*draft) : 0};
    next.block.font_pt = page.dpi > 0 ? next.height_px * 72 / page.dpi : 0;
    const auto skip_floats = [&](auto at) {
      while (at != placed.rend() && is_float(at->block) && !is_float(next.block)) ++at;
      return at;
    };
    auto last = skip_floats(placed.rbegin());
    if (last != placed.rend() && !continues(*last, next, page)) {
      const auto above = skip_floats(last + 1);
      if (above != placed.rend() && is_foot_of(*last, *above)) last = above;
    }
    if (last != placed.rend() && continues(*last, next, page)) {
      append(last->block, next.block);
      last->box = next.box;  // a third column may go on
    } else {
      placed.push_back(std::move(next));
    }
  }
  set_levels_by_size(placed);
  settle_numbered_titles(placed);
  set_depths(placed);
  return placed;
}

}  // namespace

void take_text(Block& block, const Draft& draft) {
  // Marks count the text's bytes; words that have some hold no controls.
  block.text = draft.marks.empty() ? without_controls(draft.text) : draft.text;
  block.marks = draft.marks;
}

Block make_block(const Region& region, const Draft* draft, double dpi) {
  Block block;
  block.kind = region.kind;
  block.box_pt = to_points(region.box, dpi);
  if (!draft) return block;
  block.source = draft->source;
  if (region.kind == RegionKind::picture) return block;  // labels of a chart
  take_text(block, *draft);
  block.unsure = draft->confidence < kUnsure;
  if (region.kind == RegionKind::formula)
    block.latex = latex_of(block.text, draft->source == "verified");
  if (region.kind == RegionKind::table && block.text.starts_with("<table"))
    block.text = text_of_html_table(block.html.emplace(std::move(block.text)));
  if (region.kind == RegionKind::title || region.kind == RegionKind::section_header)
    block.level = heading_level(region.kind, block.text);
  return block;
}

bool is_part_of_appendix(std::string_view text) {
  return text.size() > 2 && std::isupper(uint8_t(text[0])) && text[1] == '.' &&
         std::isdigit(uint8_t(text[2]));
}

int heading_level(RegionKind kind, std::string_view text) {
  if (kind == RegionKind::title) return 1;
  // "IV. RESULTS" and, below it, "B. Sensors".
  const size_t mark = text.find(". ");
  if (mark > 0 && mark != text.npos && std::isupper(uint8_t(text[0]))) {
    if (text.substr(0, mark).find_first_not_of("IVX") == text.npos) return 2;
    if (mark == 1) return 3;
  }
  const bool lettered = is_part_of_appendix(text);
  int parts = lettered;
  for (size_t at = lettered ? 2 : 0; at < text.size() && std::isdigit(uint8_t(text[at]));) {
    while (at < text.size() && std::isdigit(uint8_t(text[at]))) ++at;
    ++parts;
    if (at < text.size() && text[at] == '.') ++at;
  }
  return std::clamp(parts + 1, 2, 6);
}

PageBlocks page_blocks(const PageDrafts& page) {
  std::vector<const Region*> regions;
  for (const Region& region : page.regions) regions.push_back(&region);
  std::stable_sort(regions.begin(), regions.end(),
                   [](const Region* a, const Region* b) { return a->order < b->order; });
  PageBlocks out;
  bool any_text = false, all_text_layer = true;
  const auto add = [&](Block block) {
    block.id = block.order = int(out.blocks.size());
    if (!block.text.empty()) {
      any_text = true;
      all_text_layer &= block.source == "text-layer";
    }
    out.blocks.push_back(std::move(block));
  };
  for (Placed& placed : placed_blocks(page, regions)) add(std::move(placed.block));
  if (!any_text) {
    const Draft* whole = nullptr;
    for (const Draft& draft : page.drafts)
      if (!draft.region && !draft.text.empty() && (!whole || rank(draft) < rank(*whole)))
        whole = &draft;
    const Region everything{0, 0, RegionKind::text, {0, 0, page.width_px, page.height_px}, 1};
    if (whole) add(make_block(everything, whole, page.dpi));
  }
  out.level = any_text && all_text_layer ? PageLevel::text_layer : PageLevel::draft;
  return out;
}

bool has_text(const PageDrafts& drafts) {
  return std::any_of(drafts.drafts.begin(), drafts.drafts.end(),
                     [](const Draft& draft) { return !draft.text.empty(); });
}

bool stands_in_pictures(const PageDrafts& drafts) {
  constexpr size_t kLabels = 20;
  if (std::any_of(drafts.regions.begin(), drafts.regions.end(),
                  [](const Region& region) { return region.kind == RegionKind::caption; }))
    return false;
  size_t all = 0, pictured = 0, labels = 0;  // letters: Chinese has few words
  for (const Draft& draft : drafts.drafts) {
    size_t letters = 0;
    for (const Word& word : draft.words) letters += count_code_points(word.text);
    all += letters;
    const auto region =
        std::find_if(drafts.regions.begin(), drafts.regions.end(),
                     [&](const Region& region) { return draft.region == region.id; });
    if (region != drafts.regions.end() && region->kind == RegionKind::picture)
      pictured += letters, labels += draft.words.size();
  }
  return labels > kLabels && pictured * 2 > all;
}

void set_blocks_from_drafts(const PageDrafts& drafts, Page& page) {
  PageBlocks result = page_blocks(drafts);
  page.blocks = std::move(result.blocks);
  page.level = result.level;
}

}  // namespace docspec
