#include "core/read/model_layout.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace docspec {
namespace {

constexpr int kSteps = 1000;  // the coordinate of the right and lower edge
constexpr std::string_view kBox = "<|box_start|>", kBoxEnd = "<|box_end|>", kType = "<|ref_start|>",
                           kTypeEnd = "<|ref_end|>";

constexpr std::pair<std::string_view, RegionKind> kTypes[] = {
    {"text", RegionKind::text},
    {"title", RegionKind::section_header},
    {"doc_title", RegionKind::title},
    {"paragraph_title", RegionKind::section_header},
    {"table", RegionKind::table},
    {"equation", RegionKind::formula},
    {"formula_number", RegionKind::text},
    {"code", RegionKind::code},
    {"algorithm", RegionKind::code},
    {"aside_text", RegionKind::text},
    {"ref_text", RegionKind::text},
    {"index", RegionKind::text},
    {"phonetic", RegionKind::text},
    {"list_item", RegionKind::list_item},
    {"caption", RegionKind::caption},
    {"table_caption", RegionKind::caption},
    {"image_caption", RegionKind::caption},
    {"code_caption", RegionKind::caption},
    {"footnote", RegionKind::footnote},
    {"table_footnote", RegionKind::footnote},
    {"image_footnote", RegionKind::footnote},
    {"page_footnote", RegionKind::footnote},
    {"header", RegionKind::page_header},
    {"footer", RegionKind::page_footer},
    {"page_number", RegionKind::page_footer},
    {"image", RegionKind::picture},
    {"chart", RegionKind::picture},
    {"unknown", RegionKind::picture},
};

/// Four whole numbers between blanks.
std::optional<std::array<int, 4>> four(std::string_view text) {
  std::array<int, 4> out{};
  for (int& number : out) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\n"), text.size()));
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || number < 0 || number > kSteps) return std::nullopt;
    text.remove_prefix(size_t(stop - text.data()));
  }
  return out;
}

/// The text between `open` and `close` after `at`, which moves past it; nothing if there is none
/// before the next box.
std::optional<std::string_view> between(std::string_view text, size_t& at, std::string_view open,
                                        std::string_view close) {
  if (!text.substr(at).starts_with(open)) return std::nullopt;
  const size_t from = at + open.size(), end = text.find(close, from);
  if (end == text.npos || text.find(kBox, from) < end) return std::nullopt;
  at = end + close.size();
  return text.substr(from, end - from);
}

/// Words of one source in one region: a line feed where a word begins below the one before it.
std::string text_of(const std::vector<Word>& words) {
  std::string out;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0 && words[i].box.y0 >= (words[i - 1].box.y0 + words[i - 1].box.y1) / 2)
      out += '\n';
    else if (i > 0 && words[i - 1].space_after)
      out += ' ';
    out += words[i].text;
  }
  return out;
}

}  // namespace

std::vector<Region> regions_of_layout(std::string_view text, int width_px, int height_px) {
  std::vector<Region> out;
  for (size_t at = text.find(kBox); at != text.npos; at = text.find(kBox, at)) {
    const size_t begin = at;
    const auto sides = between(text, at, kBox, kBoxEnd);
    const auto type = sides ? between(text, at, kType, kTypeEnd) : std::nullopt;
    if (at == begin) at += kBox.size();
    const auto numbers = sides && type ? four(*sides) : std::nullopt;
    const auto* known = std::find_if(std::begin(kTypes), std::end(kTypes), [&](const auto& entry) {
      return type && entry.first == *type;
    });
    if (!numbers || known == std::end(kTypes)) continue;
    const auto [x0, x1] = std::minmax((*numbers)[0], (*numbers)[2]);
    const auto [y0, y1] = std::minmax((*numbers)[1], (*numbers)[3]);
    if (x0 == x1 || y0 == y1) continue;
    Region& region = out.emplace_back();
    region.id = region.order = int(out.size()) - 1;
    region.kind = known->second;
    region.box = {x0 * width_px / kSteps, y0 * height_px / kSteps, x1 * width_px / kSteps,
                  y1 * height_px / kSteps};
  }
  return out;
}

PageDrafts with_regions(const PageDrafts& page, std::vector<Region> regions) {
  PageDrafts out = page;
  out.regions = std::move(regions);
  out.drafts.clear();
  std::map<std::pair<std::string, int>, Draft> by_source;  // and region
  for (const Draft& draft : page.drafts) {
    int last = 0;
    for (const Word& word : draft.words) {
      const auto at =
          std::find_if(out.regions.begin(), out.regions.end(),
                       [&](const Region& region) { return holds_middle(region.box, word.box); });
      if (at != out.regions.end()) last = at->id;
      Draft& part = by_source[{draft.source, last}];
      part.confidence =
          part.words.empty() ? draft.confidence : std::min(part.confidence, draft.confidence);
      part.words.push_back(word);
    }
  }
  for (auto& [key, draft] : by_source) {
    if (size_t(key.second) >= out.regions.size()) continue;
    draft.source = key.first;
    draft.region = key.second;
    draft.text = text_of(draft.words);
    out.drafts.push_back(std::move(draft));
  }
  return out;
}

}  // namespace docspec
