// What is drawn on a page with a text layer, and OCR reads: the part of PageJob for it.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/median.h"
#include "drafts/formula/formula_words.h"
#include "drafts/grid/cell_text.h"
#include "drafts/layout/drawn_prose.h"
#include "drafts/layout/drawn_tables.h"
#include "drafts/ocr/drawn_formulas.h"
#include "drafts/ocr/formulas/flat_formulas.h"
#include "drafts/ocr/ocr_words.h"
#include "drafts/ocr/reading_direction.h"
#include "drafts/page_job.h"
#include "drafts/regions/vertical_page.h"
#include "drafts/text/region_text.h"
#include "drafts/text/text_trust.h"

namespace docspec {
namespace {

constexpr const char* kDrawnFormulas =
    "some formulas are drawn as shapes, which only a model can read";

}  // namespace

void PageJob::read_pictures(Drafter& text, Drafter& ocr) {
  std::vector<RuledTable> tables = find_drawn_tables(input(), out_.drafts.regions);
  std::vector<Box> prose = find_drawn_prose(input(), out_.drafts.regions);
  if (tables.empty() && prose.empty()) return;
  render_once();
  std::vector<Region> parts;
  const auto ask = [&](RegionKind kind, const Box& box) {
    parts.push_back({int(parts.size()), int(parts.size()), kind, box, 1});
  };
  for (const RuledTable& table : tables) ask(RegionKind::table, table.box);
  for (const Box& box : prose) ask(RegionKind::text, box);
  std::vector<Word> drawn = timed_ocr([&] { return words_of(ocr.draft(input(), parts)); });
  std::vector<Box> boxes, areas;
  for (const Word& word : drawn) boxes.push_back(word.box);
  for (const RuledTable& table : tables)
    if (holds_text(table, boxes)) areas.push_back(table.box);
  for (const Box& box : prose)
    if (is_drawn_prose(box, drawn)) areas.push_back(box);
  const auto is_read = [&](const Box& box) {
    return std::any_of(areas.begin(), areas.end(), [&](const Box& area) {
      return intersect(area, box).area() * 2 > box.area();
    });
  };
  std::erase_if(drawn, [&](const Word& word) { return !is_read(word.box); });
  if (drawn.empty()) return;
  std::vector<Word> all = text_words();
  // A picture may show its text smaller: it is no smaller text.
  std::vector<double> sizes;
  for (const Word& word : all) sizes.push_back(word.font_size_pt);
  const double size = sizes.empty() ? 0 : median(std::move(sizes));
  for (Word& word : drawn)
    if (std::any_of(prose.begin(), prose.end(),
                    [&](const Box& box) { return intersect(box, word.box).area() > 0; }))
      word.font_size_pt = size;
  all.insert(all.end(), drawn.begin(), drawn.end());
  detect(all, {});
  out_.drafts.drafts.clear();
  add(text);
  std::vector<Region> read;
  for (const Region& region : out_.drafts.regions)
    if (is_read(region.box)) read.push_back(region);
  for (Draft& draft : region_drafts(read, drawn, out_.drafts.dpi, ocr.name()))
    out_.drafts.drafts.push_back(std::move(draft));
}

PageJob::PageJob(const PageJob& page, PageImage image)
    : options_(page.options_), detector_(page.detector_), reader_(page.reader_) {
  out_.drafts.page = page.out_.drafts.page;
  out_.drafts.dpi = image.dpi();
  out_.drafts.width_px = image.width_px(), out_.drafts.height_px = image.height_px();
  out_.image = std::move(image);
}

bool PageJob::read_clippings(Drafter& text, const std::vector<Drafter*>& engines,
                             LazyFormulaReader& formulas) {
  constexpr size_t kMostOwn = 600;          // letters of the layer: such a page is a cover sheet
  constexpr double kLeastArea = 0.1;        // of the page
  constexpr double kTimes = 1;              // as many letters as the layer has
  constexpr size_t kFew = 15, kLeast = 80;  // letters
  const size_t own = count_letters(out_.text_layer);
  const bool cover = own <= kMostOwn && (trusted() || is_readable(out_.text_layer));
  if (own == 0 || hidden_text_ || turns_ != 0 || !any_image() || !(cover || trusted()))
    return false;
  const std::string doubt = out_.doubt;
  if (!trusted()) use_text_layer(&text);
  const double area = kLeastArea * double(out_.drafts.width_px) * out_.drafts.height_px;
  const std::vector<Box> dark =
      trusted() ? find_dark_prose(input(), out_.drafts.regions) : std::vector<Box>();
  std::vector<Region> sheets, screens;
  for (const Region& region : out_.drafts.regions) {
    if (region.kind != RegionKind::picture) continue;
    if (cover && double(region.box.area()) >= area &&
        count_letter_pieces(input(), region.box) >= kFew)
      sheets.push_back(region);
    if (std::find(dark.begin(), dark.end(), region.box) != dark.end()) screens.push_back(region);
  }
  if (!sheets.empty() || !screens.empty()) render_once();
  if (!trusted() && !hold_the_rest(sheets, *engines.front())) sheets.clear();
  const auto read = [&](const Region& picture, size_t least, bool prose) {
    std::optional<PageJob> part = clipping(picture.box, least, *engines.front());
    if (!part || !part->read_raster(engines, formulas) || part->out_.info.rotation != 0)
      return false;
    out_.timings_ms["ocr"] += part->out_.timings_ms["ocr"];
    size_t letters = 0;
    for (const Draft& draft : part->out_.drafts.drafts) letters += count_letters(draft.words);
    if (letters < least && part->out_.doubt.empty()) return false;
    if (prose && !part->is_sure_prose()) return false;
    insert(picture, *part);
    return true;
  };
  bool found = false;
  const size_t least = std::max(kLeast, size_t(kTimes * double(own)));
  for (const Region& picture : sheets) {
    if (!read(picture, least, false)) continue;
    found = true;
    std::erase_if(screens, [&](const Region& screen) { return screen.id == picture.id; });
  }
  for (const Region& picture : screens) found |= read(picture, kLeast, true);
  if (!found && !trusted()) out_.drafts.regions = {}, out_.drafts.drafts = {}, out_.doubt = doubt;
  out_.text_layer_trusted |= found;
  return found;
}

bool PageJob::is_sure_prose() const {
  return out_.doubt.empty() &&
         std::none_of(out_.drafts.regions.begin(), out_.drafts.regions.end(),
                      [](const Region& region) { return region.kind == RegionKind::table; });
}

bool PageJob::hold_the_rest(std::span<const Region> pictures, Drafter& ocr) {
  if (pictures.empty()) return false;
  const auto has_word = [&](const Box& line) {
    return std::any_of(out_.text_layer.begin(), out_.text_layer.end(),
                       [&](const Word& word) { return holds_middle(line, word.box); });
  };
  int64_t inside = 0, all = 0;
  for (const Box& line : timed_ocr([&] { return ocr.text_lines(input()); })) {
    if (has_word(line)) continue;
    all += line.area();
    if (std::any_of(pictures.begin(), pictures.end(),
                    [&](const Region& picture) { return holds_middle(picture.box, line); }))
      inside += line.area();
  }
  constexpr int kNearlyAll = 90;  // in a hundred
  return inside * 100 >= all * kNearlyAll;
}

std::optional<PageJob> PageJob::clipping(const Box& picture, size_t least, Drafter& ocr) const {
  constexpr double kLetter = 0.45;  // a letter's width of its line's height, as OCR finds it
  constexpr double kLineHeight = 32, kMostLarger = 2;  // kLineHeight: pixels that OCR reads well
  constexpr double kCovered = 0.08;  // of the picture, by lines; those of a chart cover less
  PageJob part(*this, out_.image->crop(picture));
  double letters = 0, covered = 0;
  std::vector<int> heights;
  for (const Box& line : ocr.text_lines(part.input())) {
    letters += line.width() / (kLetter * line.height());
    covered += double(line.area());
    heights.push_back(line.height());
  }
  if (heights.empty()) letters = double(count_letter_pieces(input(), picture));
  if (letters < double(least)) return std::nullopt;
  if (heights.empty()) return part;
  if (covered < kCovered * double(part.out_.drafts.width_px) * part.out_.drafts.height_px)
    return std::nullopt;
  const double larger = std::min(kMostLarger, kLineHeight / median(std::move(heights)));
  if (larger <= 1) return part;
  const PageImage large =
      upright(reader_.raster(out_.drafts.page, out_.drafts.dpi * larger, options_.max_pixels));
  const Box own = intersect(in_image(picture, out_.drafts.dpi / large.dpi()),
                            {0, 0, large.width_px(), large.height_px()});
  // Its print was larger before it was fitted to this page: rules and gaps are as in that print.
  PageImage print(large.page(), own.width(), own.height(), out_.drafts.dpi);
  for (int y = 0; y < own.height(); ++y)
    std::copy_n(large.row(own.y0 + y) + size_t(own.x0) * 3, size_t(own.width()) * 3, print.row(y));
  return PageJob(*this, std::move(print));
}

void PageJob::insert(const Region& picture, const PageJob& clipping) {
  PageDrafts& page = out_.drafts;
  const PageDrafts& part = clipping.out_.drafts;
  const double scale = double(picture.box.width()) / part.width_px;
  const auto moved = [&](const Box& box) -> Box {
    const auto at = [&](int from, int px) { return from + int(std::lround(scale * px)); };
    return {at(picture.box.x0, box.x0), at(picture.box.y0, box.y0), at(picture.box.x0, box.x1),
            at(picture.box.y0, box.y1)};
  };
  const int more = int(part.regions.size()) - 1;
  int free_id = 0;
  const auto own = std::find_if(page.regions.begin(), page.regions.end(),
                                [&](const Region& region) { return region.id == picture.id; });
  const int order = own->order;  // which grew where another picture above was read
  page.regions.erase(own);
  for (Region& region : page.regions) {
    if (region.order > order) region.order += more;
    free_id = std::max(free_id, region.id + 1);
  }
  for (Region region : part.regions) {
    region.id += free_id, region.order += order, region.box = moved(region.box);
    if (region.whole) *region.whole += free_id;
    for (GridCell& cell : region.cells) cell.box = moved(cell.box);
    page.regions.push_back(std::move(region));
  }
  for (Draft draft : part.drafts) {
    if (draft.region) *draft.region += free_id;
    for (Word& word : draft.words) word.box = moved(word.box);
    page.drafts.push_back(std::move(draft));
  }
  if (out_.doubt.empty()) out_.doubt = clipping.out_.doubt;
}

void PageJob::read_drawn_text(Drafter& ocr, LazyFormulaReader& reader) {
  constexpr double kGrown = 0.1;  // of a line's height: OCR wants a little white around a line
  constexpr int kSureLines = 5;
  if (hidden_text_ || !any_image() || runs_downwards(text_words()) || !has_ink_beside(text_words()))
    return;
  if (!trusted() && !is_readable(out_.text_layer)) return;
  const DrawnText drawn =
      find_drawn_text(input(), ink_of(inline_formulas_, glyphs_, formula_tables_));
  // Where lines of text are full of formulas, these are what the layer lacks.
  out_.text_layer_trusted |= drawn.lines >= kSureLines;
  if (!trusted() || drawn.pieces.empty()) return;
  render_once();
  std::vector<Region> parts;
  std::vector<Box> lines;
  for (const DrawnText::Piece& piece : drawn.pieces) {
    const int grown = int(std::lround(kGrown * piece.box.height()));
    lines.push_back(
        {piece.box.x0 - grown, piece.box.y0 - grown, piece.box.x1 + grown, piece.box.y1 + grown});
    parts.push_back({int(parts.size()), int(parts.size()), RegionKind::text, lines.back(), 1});
  }
  PageInput given = input();
  given.lines = lines;
  const std::vector<Draft> read = timed_ocr([&] { return ocr.draft(given, parts); });
  std::vector<Word> words = text_words();
  // What stands alone may be an icon.
  const double least_sure = drawn.lines >= kSureLines                   ? 0.4
                            : drawn.pieces.size() >= size_t(kSureLines) ? 0.6
                                                                        : 0.9;
  const DrawnRead done = add_drawn_text(words, drawn.pieces, read, least_sure);
  // Among labels and arrows of a drawing OCR reads next to nothing.
  const int most = drawn.lines >= 4 * kSureLines ? 1 : 2;
  const bool formulas = done.read >= kSureLines && done.read > most * done.unread;
  if (formulas && read_drawn_formulas(drawn, read, reader)) return;
  joined_words_ = std::move(words);
  if (formulas && done.unread + int(drawn.higher.size()) > 0) out_.doubt = kDrawnFormulas;
}

bool PageJob::read_drawn_formulas(const DrawnText& drawn, const std::vector<Draft>& seen,
                                  LazyFormulaReader& reader) {
  constexpr double kSure = 1, kSureOfOcr = 0.4;
  constexpr std::ptrdiff_t kMostText = 4;  // one of so many pieces
  std::vector<DrawnFormula> formulas;
  std::vector<DrawnText::Piece> pieces = drawn.pieces;
  for (const Box& box : drawn.higher) pieces.push_back({box, -1, false, box});
  for (size_t i = 0; i < pieces.size(); ++i) {
    const auto draft = std::find_if(seen.begin(), seen.end(),
                                    [&](const Draft& other) { return other.region == int(i); });
    formulas.push_back({pieces[i].ink, draft == seen.end() ? "" : draft->text});
  }
  // A layer that lacks letters of its text has more of them drawn.
  const auto text = std::count_if(formulas.begin(), formulas.end(),
                                  [](const DrawnFormula& each) { return is_chinese(each.seen); });
  if (text * kMostText > std::ssize(formulas)) return false;
  std::vector<Word> words = text_words();
  const std::vector<ReadFormula> read = timed_ocr(
      [&] { return docspec::read_drawn_formulas(reader, *any_image(), words, formulas); });
  if (read.empty()) return false;
  std::vector<std::string> latex;
  for (const ReadFormula& each : read) latex.push_back(each.latex);
  add_drawn_text(words, pieces, seen, kSureOfOcr, latex);
  joined_words_ = std::move(words);
  if (!formulas_) formulas_.emplace();
  bool all = true, sure = true;
  for (size_t i = 0; i < read.size(); ++i) {
    all &= !latex[i].empty();
    sure &= read[i].least_margin >= kSure;
    if (pieces[i].word < 0 && !latex[i].empty()) formulas_->push_back({pieces[i].ink, latex[i]});
  }
  out_.doubt = !all ? kDrawnFormulas : !sure ? kUnsureFormulas : "";
  return true;
}

}  // namespace docspec
