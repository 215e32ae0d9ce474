#include "core/letters/words/word_check.h"

#include <algorithm>

#include "core/base/error.h"
#include "core/letters/words/word_alignment.h"
#include "core/text/unicode.h"

namespace docspec {
namespace {

/// The text without leaders, of whose dots OCR has more or fewer.
std::string without_dots(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    size_t dots = 0, end = at;
    for (size_t i = at; i < text.size() && (text[i] == '.' || (text[i] == ' ' && dots > 0)); ++i)
      if (text[i] == '.') ++dots, end = i + 1;
    if (dots < 3) {
      out += text[at++];
      continue;
    }
    at = end;
  }
  return out;
}

std::u32string solid(std::string_view text) {
  std::u32string key = fold(text);
  std::erase(key, U' ');
  return key;
}

/// The boxes' pixels one below the other on white, and where each then is: a page of its own, so
/// that no reader needs to look at the whole one.
PageImage column_of(const PageImage& image, std::span<const Box> boxes,
                    std::vector<Region>& regions) {
  const int margin = std::max(4, int(image.dpi() / 16)), rim = std::max(1, int(image.dpi() / 72));
  std::vector<Box> parts;
  int width = 1, height = margin;
  for (const Box& box : boxes) {
    parts.push_back(pad(box, rim, image.width_px(), image.height_px()));
    width = std::max(width, parts.back().width());
    height += std::max(0, parts.back().height()) + margin;
  }
  PageImage column(image.page(), width + 2 * margin, height, image.dpi());
  int y = margin;
  for (const Box& part : parts) {
    const int id = int(regions.size());
    regions.push_back({id, id, RegionKind::text, {}});
    if (part.empty()) continue;
    regions.back().box = {margin, y, margin + part.width(), y + part.height()};
    for (int row = 0; row < part.height(); ++row)
      std::copy_n(image.row(part.y0 + row) + size_t(part.x0) * 3, size_t(part.width()) * 3,
                  column.row(y + row) + size_t(margin) * 3);
    y += part.height() + margin;
  }
  return column;
}

}  // namespace

Verdict verdict(std::string_view third_text, std::string_view page, std::string_view model,
                bool number) {
  const std::string third = without_dots(third_text);
  const std::u32string seen = solid(third), own = solid(page), said = solid(model);
  if (seen.empty()) return Verdict::none;
  if (own == said) {  // only the blanks differ
    if (fold(third) == fold(page)) return Verdict::page;
    return fold(third) == fold(model) ? Verdict::model : Verdict::none;
  }
  const auto blanks = [](std::string_view text) {
    return std::count(text.begin(), text.end(), ' ');
  };
  const bool hyphened = page.find("- ") != page.npos;  // its third reading may be joined
  const bool same_blanks = hyphened || blanks(third) == blanks(page);
  if (seen == own) return same_blanks ? Verdict::page : Verdict::letters;
  const Verdict for_page = same_blanks ? Verdict::page : Verdict::unlike;
  if (seen == said) return Verdict::model;
  if (seen.size() >= 3 && letter_distance(seen, own) > 0.5 && letter_distance(seen, said) > 0.34)
    return Verdict::unlike;
  if (number) return Verdict::none;
  constexpr double kAlike = 0.34;
  const double to_page = letter_distance(seen, own), to_model = letter_distance(seen, said);
  const double letter = 0.9 / double(seen.size());
  if (said.empty() && to_page > 0.2) return Verdict::none;  // nothing else speaks for the word
  if (to_page <= kAlike && to_page + letter < to_model) return for_page;
  if (to_model <= kAlike && to_model + letter < to_page) return Verdict::model;
  return Verdict::none;
}

Verdict passage_verdict(std::string_view third_text, std::string_view page,
                        std::string_view model) {
  constexpr double kSame = 0.08, kOther = 0.25;
  const std::u32string seen = solid(without_dots(third_text)), own = solid(page);
  if (seen.empty()) return Verdict::none;
  const double to_page = letter_distance(seen, own), to_model = letter_distance(seen, solid(model));
  if (to_model <= kSame && to_page > kOther) return Verdict::model;
  if (to_page > kOther && to_model > kOther) return Verdict::unlike;
  if (to_page > kSame || to_model <= kOther) return Verdict::none;
  const auto digits = [](const std::u32string& text) {
    std::u32string out;
    for (const char32_t c : text)
      if (c >= U'0' && c <= U'9') out += c;
    return out;
  };
  return digits(seen) == digits(own) ? Verdict::page : Verdict::none;
}

std::vector<std::string> with_blanks_of(std::string_view third_text, std::string_view page) {
  // Letters are counted as they are folded: a ligature may be one here and two there.
  std::vector<size_t> ends;
  size_t letters = 0;
  for (const char32_t c : fold(without_dots(third_text))) {
    if (c != U' ')
      ++letters;
    else
      ends.push_back(letters);
  }
  std::vector<std::string> out(1);
  size_t count = 0;
  auto end = ends.begin();
  for (size_t at = 0; at < page.size();) {
    const CodePoint point = code_point_at(page, at);
    const std::string_view one = page.substr(at, point.bytes);
    at += point.bytes;
    if (one == " ") continue;
    for (; end != ends.end() && *end <= count; ++end)
      if (!out.back().empty()) out.emplace_back();
    out.back() += one;
    count += fold(one).size();
  }
  return out;
}

std::vector<std::string> read_boxes(Drafter& ocr, const PageImage& image,
                                    std::span<const Box> boxes) {
  std::vector<Region> regions;
  const PageImage column = column_of(image, boxes, regions);
  PageInput page;
  page.page = column.page();
  page.width_px = column.width_px();
  page.height_px = column.height_px();
  page.dpi = column.dpi();
  page.image = &column;
  std::vector<Box> lines;  // known, so that no reader needs to look for them
  for (const Region& region : regions)
    if (!region.box.empty()) lines.push_back(region.box);
  page.lines = lines;
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

void prepare_to_read(Drafter& ocr) {
  constexpr int kWidth = 96, kHeight = 32;
  const PageImage image(1, kWidth, kHeight, 150);
  const Box box{8, 8, kWidth - 8, kHeight - 8};
  try {
    read_boxes(ocr, image, {&box, 1});
  } catch (const std::exception&) {
  }
}

}  // namespace docspec
