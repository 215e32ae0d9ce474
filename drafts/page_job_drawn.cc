// What is drawn on a page with a text layer, and OCR reads: the part of PageJob for it.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/median.h"
#include "drafts/layout/drawn_prose.h"
#include "drafts/layout/drawn_tables.h"
#include "drafts/ocr/drawn_text.h"
#include "drafts/ocr/ocr_words.h"
#include "drafts/ocr/reading_direction.h"
#include "drafts/page_job.h"
#include "drafts/regions/vertical_page.h"
#include "drafts/text/region_text.h"
#include "drafts/text/text_trust.h"

namespace docspec {

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

void PageJob::read_drawn_text(Drafter& ocr) {
  constexpr double kGrown = 0.1;  // of a line's height: OCR wants a little white around a line
  constexpr int kSureLines = 5;
  if (hidden_text_ || !any_image() || runs_downwards(text_words()) || !has_ink_beside(text_words()))
    return;
  if (!trusted() && !is_readable(out_.text_layer)) return;
  const DrawnText drawn = find_drawn_text(input());
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
  joined_words_ = std::move(words);
  // Among labels and arrows of a drawing OCR reads next to nothing.
  const int most = drawn.lines >= 4 * kSureLines ? 1 : 2;
  const bool formulas = done.read >= kSureLines && done.read > most * done.unread;
  if (formulas && done.unread + drawn.higher > 0)
    out_.doubt = "some formulas are drawn as shapes, which only a model can read";
}

}  // namespace docspec
