#include "core/letters/word_check.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/letters/word_alignment.h"

namespace docspec {
namespace {

std::u32string solid(std::string_view text) {
  std::u32string key = fold(text);
  std::erase(key, U' ');
  return key;
}

}  // namespace

Verdict verdict(std::string_view third, std::string_view page, std::string_view model,
                bool number) {
  const std::u32string seen = solid(third), own = solid(page), said = solid(model);
  if (seen.empty()) return Verdict::none;
  if (own == said) {  // only the blanks differ
    if (fold(third) == fold(page)) return Verdict::page;
    return fold(third) == fold(model) ? Verdict::model : Verdict::none;
  }
  if (seen == own) return fold(third) == fold(page) ? Verdict::page : Verdict::none;
  if (seen == said) return Verdict::model;
  if (said.empty() && letter_distance(seen, own) > 0.5) return Verdict::model;
  if (number) return Verdict::none;
  constexpr double kAlike = 0.34;
  const double to_page = letter_distance(seen, own), to_model = letter_distance(seen, said);
  const double letter = 0.9 / double(seen.size());
  if (to_page <= kAlike && to_page + letter < to_model) return Verdict::page;
  if (to_model <= kAlike && to_model + letter < to_page) return Verdict::model;
  return Verdict::none;
}

std::vector<std::string> read_boxes(Drafter& ocr, const PageImage& image,
                                    std::span<const Box> boxes) {
  std::vector<Region> regions;
  for (const Box& box : boxes)
    regions.push_back({int(regions.size()), int(regions.size()), RegionKind::text, box});
  PageInput page;
  page.page = image.page();
  page.width_px = image.width_px();
  page.height_px = image.height_px();
  page.dpi = image.dpi();
  page.image = &image;
  std::vector<std::string> out(boxes.size());
  try {
    for (const Draft& draft : ocr.draft(page, regions))
      if (draft.region && size_t(*draft.region) < out.size())
        out[size_t(*draft.region)] = draft.text;
  } catch (const Error& e) {
    if (e.code() != ExitCode::dependency) throw;
    return {};
  }
  return out;
}

}  // namespace docspec
