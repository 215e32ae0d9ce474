#include "core/read/crop_view.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/page/rotation.h"
#include "core/text/trim.h"

namespace docspec {
namespace {

int middle_y(const Word& word) {
  return (word.box.y0 + word.box.y1) / 2;
}

/// Whether the text may be cut between lines; code, tables and formulas may not.
bool is_running_text(RegionKind kind) {
  switch (kind) {
    case RegionKind::text:
    case RegionKind::list_item:
    case RegionKind::caption:
    case RegionKind::footnote:
      return true;
    default:
      return false;
  }
}

struct Line {
  Box box;
  const Word* last;  ///< the rightmost

  /// Whether its last word continues in the next line.
  bool hyphen() const {
    return last->text.ends_with('-') || last->text.ends_with("\u00AD") ||
           last->text.ends_with("\u2010");
  }
};

/// Lines from top to bottom, for any order of the words; quotes and dots alone do not form a line.
std::vector<Line> lines_of(const std::vector<Word>& words) {
  std::vector<const Word*> upright;
  for (const Word& word : words) upright.push_back(&word);
  const auto middle = upright.begin() + std::ptrdiff_t(upright.size() / 2);
  const auto height = [](const Word* word) { return word->box.height(); };
  std::nth_element(upright.begin(), middle, upright.end(),
                   [&](const Word* a, const Word* b) { return height(a) < height(b); });
  if (middle != upright.end())
    std::erase_if(upright, [&, usual = height(*middle)](const Word* word) {
      return 2 * height(word) < usual;
    });
  std::stable_sort(upright.begin(), upright.end(),
                   [](const Word* a, const Word* b) { return middle_y(*a) < middle_y(*b); });
  std::vector<Line> lines;
  for (const Word* word : upright) {
    if (lines.empty() || middle_y(*word) >= lines.back().box.y1) {
      lines.push_back({word->box, word});
      continue;
    }
    Line& line = lines.back();
    line.box = unite(line.box, word->box);
    if (word->box.x1 > line.last->box.x1) line.last = word;
  }
  return lines;
}

/// Where the words' text begins in `text`, from `from` on, near by; npos when it does not.
size_t place_of(const std::string& text, const std::string& word, size_t from) {
  constexpr size_t kNear = 40;  // bytes: a few words that were joined, split or left out
  const size_t at = text.find(word, from);
  return at != std::string::npos && at - from <= kNear ? at : std::string::npos;
}

/// The next blank at or after `at`; the end of the text if there is none.
size_t blank_after(const std::string& text, size_t at) {
  return std::min(text.find_first_of(" \n", at), text.size());
}

}  // namespace

int crop_margin_px(const PageImage& page) {
  return std::max(4, int(page.dpi() / 24));
}

std::vector<int> line_cuts(std::span<const Draft* const> drafts, size_t most) {
  const auto longest = std::max_element(
      drafts.begin(), drafts.end(),
      [](const Draft* a, const Draft* b) { return a->words.size() < b->words.size(); });
  if (longest == drafts.end()) return {};
  const std::vector<Line> lines = lines_of((*longest)->words);
  if (lines.size() <= most) return {};
  const size_t parts = (lines.size() + most - 1) / most;
  std::vector<int> cuts;
  size_t before = 0;  // lines above the last cut
  for (size_t part = 1; part < parts; ++part) {
    const size_t even = (part * lines.size() + parts / 2) / parts;
    for (const size_t at : {even, even - 1, even + 1}) {
      if (at <= before || at >= lines.size() || lines[at - 1].hyphen()) continue;
      cuts.push_back((lines[at - 1].box.y1 + lines[at].box.y0) / 2);
      before = at;
      break;
    }
  }
  return cuts;
}

std::vector<Draft> cut_draft(const Draft& draft, std::span<const int> cuts) {
  std::vector<Draft> parts(cuts.size() + 1, Draft{{}, draft.source, "", draft.confidence, {}});
  std::vector<size_t> begins(parts.size() + 1, 0);  // of the parts, in the text
  begins.back() = draft.text.size();
  size_t part = 0, at = 0;
  bool in_order = true;
  for (const Word& word : draft.words) {
    const size_t of =
        size_t(std::upper_bound(cuts.begin(), cuts.end(), middle_y(word)) - cuts.begin());
    in_order &= of >= part;
    const size_t found = place_of(draft.text, word.text, at);
    for (; part < of; ++part)
      begins[part + 1] = found != std::string::npos ? found : blank_after(draft.text, at);
    if (found != std::string::npos) at = found + word.text.size();
    parts[of].text += (parts[of].words.empty() ? "" : " ") + word.text;
    parts[of].words.push_back(word);
  }
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].words.empty()) return {};
    const std::string slice =
        trimmed(std::string_view(draft.text).substr(begins[i], begins[i + 1] - begins[i]), " \n");
    if (in_order && !slice.empty()) parts[i].text = slice;
  }
  return parts;
}

CropView::CropView(const PromptSet& prompts, const PageImage& image, double skew,
                   const PageDrafts& page)
    : image_(&image), page_(&page), drafts_(page) {
  if (prompts.level_crops() && skew != 0) set_level(skew);
  cut(prompts.crop_lines());
}

void CropView::set_level(double skew) {
  level_ = rotate(*image_, skew);
  const auto level = [&](Box& box) {
    // The drafters' boxes are those of the level page, turned back.
    box = unrotate(box, -skew, image_->width_px(), image_->height_px());
  };
  for (Region& region : drafts_.regions) {
    level(region.box);
    for (GridCell& cell : region.cells) level(cell.box);
  }
  for (Draft& draft : drafts_.drafts)
    for (Word& word : draft.words) level(word.box);
}

void CropView::cut(size_t most_lines) {
  int next_id = 0;
  for (const Region& region : drafts_.regions) next_id = std::max(next_id, region.id + 1);
  std::vector<Region> regions;
  for (Region& region : drafts_.regions) {
    std::vector<const Draft*> own;
    for (const Draft& draft : drafts_.drafts)
      if (draft.region == region.id && !draft.text.empty()) own.push_back(&draft);
    const std::vector<int> cuts =
        is_running_text(region.kind) ? line_cuts(own, most_lines) : std::vector<int>();
    std::vector<std::vector<Draft>> slices;
    for (const Draft* draft : own)
      if (auto slice = cut_draft(*draft, cuts); !slice.empty()) slices.push_back(std::move(slice));
    const bool inside = std::all_of(cuts.begin(), cuts.end(),
                                    [&](int y) { return y > region.box.y0 && y < region.box.y1; });
    if (cuts.empty() || slices.empty() || !inside) {
      regions.push_back(std::move(region));
      continue;
    }
    std::erase_if(drafts_.drafts, [&](const Draft& draft) { return draft.region == region.id; });
    const Box outer =
        pad(region.box, crop_margin_px(*image_), image_->width_px(), image_->height_px());
    for (size_t i = 0; i <= cuts.size(); ++i) {
      Region part = region;
      part.id = next_id++;
      part.whole = region.id;
      part.box.y0 = i > 0 ? cuts[i - 1] : outer.y0;
      part.box.y1 = i < cuts.size() ? cuts[i] : outer.y1;
      for (auto& slice : slices) {
        slice[i].region = part.id;
        drafts_.drafts.push_back(std::move(slice[i]));
      }
      regions.push_back(std::move(part));
    }
  }
  for (size_t i = 0; i < regions.size(); ++i) regions[i].order = int(i);
  drafts_.regions = std::move(regions);
}

PageDrafts CropView::whole(const PageDrafts& read) const {
  PageDrafts out = *page_;
  for (const Region& region : page_->regions) {
    Draft joined{region.id, "verified", "", 1, {}};
    size_t parts = 0, verified = 0;
    for (const Region& part : drafts_.regions) {
      if (part.whole.value_or(part.id) != region.id) continue;
      ++parts;
      for (const Draft& draft : read.drafts) {
        if (draft.region != part.id || draft.source != "verified") continue;
        joined.text += (verified++ == 0 ? "" : " ") + draft.text;
        joined.confidence = std::min(joined.confidence, draft.confidence);
      }
    }
    if (verified == 0 || verified < parts) continue;
    std::erase_if(out.drafts, [&](const Draft& draft) { return draft.region == region.id; });
    out.drafts.push_back(std::move(joined));
  }
  return out;
}

}  // namespace docspec
