#include "drafts/page_job.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/error.h"
#include "core/base/stopwatch.h"
#include "core/document/page_blocks.h"
#include "core/page/covered_words.h"
#include "core/page/dark_paper.h"
#include "core/page/even_light.h"
#include "core/page/ink_map.h"
#include "core/page/rotation.h"
#include "core/page/specks.h"
#include "core/text/unicode.h"
#include "drafts/formula/equations/equation_pictures.h"
#include "drafts/formula/formula_words.h"
#include "drafts/formula/glyph_formulas.h"
#include "drafts/grid/cell_text.h"
#include "drafts/grid/formulas/cell_formulas.h"
#include "drafts/latex/index_words.h"
#include "drafts/latex/math_letters.h"
#include "drafts/layout/drawn_tables.h"
#include "drafts/ocr/drawn_text.h"
#include "drafts/ocr/formulas/flat_formulas.h"
#include "drafts/ocr/formulas/join_seen.h"
#include "drafts/ocr/formulas/read_lines.h"
#include "drafts/ocr/formulas/seen_formulas.h"
#include "drafts/ocr/formulas/seen_fractions.h"
#include "drafts/ocr/formulas/seen_glyphs.h"
#include "drafts/ocr/ocr_words.h"
#include "drafts/ocr/reading_direction.h"
#include "drafts/page_doubts.h"
#include "drafts/regions/vertical_page.h"
#include "drafts/text/bold_fonts.h"
#include "drafts/text/drawn_marks.h"
#include "drafts/text/region_text.h"
#include "drafts/text/text_layer_drafter.h"
#include "drafts/text/text_trust.h"
#include "drafts/text/underscores.h"
#include "drafts/text/unmapped_signs.h"
#include "drafts/text/upright_words.h"

namespace docspec {
namespace {

constexpr double kInkDpi = 144;  // enough to find thin lines and pictures and to check a text layer

/// Whether OCR is sure of its words, and has nearly as many letters as another program found.
bool is_sure_of(std::span<const Word> words, size_t letters) {
  constexpr double kSure = 0.85, kMost = 0.8;
  double sure = 0;
  for (const Word& word : words) sure += word.confidence;
  return !words.empty() && sure >= kSure * double(words.size()) &&
         double(count_letters(words)) >= kMost * double(letters);
}

}  // namespace

PageJob::PageJob(const PageDraftOptions& options, LayoutDetector& detector,
                 const DocumentReader& reader, int page)
    : options_(options), detector_(detector), reader_(reader) {
  out_.info = reader.info(page);
  out_.drafts.page = page;
  const double inches2 = out_.info.width_pt * out_.info.height_pt / (72 * 72);
  // The reader rounds each side up: stay a little below the ceiling.
  const double ceiling = 0.999 * std::sqrt(double(options.max_pixels) / inches2);
  const double own = options.own_pixels ? out_.info.own_dpi : 0, dpi = own > 0 ? own : options.dpi;
  out_.dpi_reduced = ceiling < dpi;
  set_frame(std::min(dpi, ceiling));
}

void PageJob::read_text_layer() {
  const ScopedTimer timer(out_.timings_ms["text_layer"]);
  out_.text_layer = reader_.text_layer(out_.drafts.page, out_.drafts.dpi);
  turns_ = quarter_turns_to_upright(out_.text_layer);
  turn_words(out_.text_layer, turns_, out_.drafts.width_px, out_.drafts.height_px);
  turn_frame(turns_);
  mend_words(out_.text_layer);
  hidden_text_ = has_text_layer() && reader_.hides_text(out_.drafts.page);
  if (hidden_text_) forget_typed_fonts(out_.text_layer);
  read_page_formulas();
}

void PageJob::read_page_formulas() {
  if (!has_math_font(out_.text_layer) || turns_ != 0) return;
  PageGlyphs glyphs = reader_.glyphs(out_.drafts.page, out_.drafts.dpi);
  // Less than the words have: the fonts of the text could not be read.
  if (glyphs.glyphs.size() * 10 <= count_letters(out_.text_layer) * 8) return;
  name_unmapped_letters(out_.text_layer, glyphs);
  if (glyphs.equations && !order_equations(glyphs)) return;
  const GlyphLines lines(glyphs);
  const std::vector<RuledTable> tables = find_glyph_tables(lines);
  for (const RuledTable& table : tables) formula_tables_.push_back(table.box);
  formulas_ = read_formulas(lines, formula_tables_);
  inline_formulas_ = with_cell_formulas(read_inline_formulas(lines, *formulas_), lines, tables);
  glyphs_ = std::move(glyphs);
}

void PageJob::join_formulas() {
  if (!inline_formulas_.empty())
    joined_words_ = words_with_formulas(out_.text_layer, glyphs_, inline_formulas_);
  else if (!hidden_text_ && (!formulas_ || formulas_->empty()))
    joined_words_ = words_with_indices(out_.text_layer);
}

const std::vector<Word>& PageJob::text_words() const {
  return joined_words_.empty() ? out_.text_layer : joined_words_;
}

void PageJob::look_at_ink(bool drafters) {
  try {
    const ScopedTimer timer(out_.timings_ms["raster"]);
    if (drafters || options_.want_image || out_.text_layer.empty())
      render();
    else
      small_ = upright(reader_.raster(out_.drafts.page, std::min(kInkDpi, out_.drafts.dpi),
                                      options_.max_pixels));
  } catch (const Error&) {
    if (out_.text_layer.empty()) throw;
  }
  const PageImage* const image = any_image();
  const double scale = image ? double(out_.drafts.width_px) / image->width_px() : 1;
  if (image) {
    ink_.emplace(*image, scale);
    censor_covered(out_.text_layer, *image, scale);
    drop_unseen(out_.text_layer, *image, scale);
    read_unmapped_signs(out_.text_layer, *image, scale);
    mark_bold_fonts(out_.text_layer, *image, scale);
    join_underscored(out_.text_layer, *image, scale);
    if (!hidden_text_) add_blanks(out_.text_layer, *image, scale);
    add_drawn_marks(out_.text_layer, *image, scale);
  }
  out_.text_layer_trusted = trust_text_layer(out_.text_layer, ink_ ? &*ink_ : nullptr, image, scale,
                                             out_.drafts.width_px, out_.drafts.height_px);
}

void PageJob::detect(std::span<const Word> words, std::span<const Box> lines) {
  const ScopedTimer timer(out_.timings_ms["layout"]);
  PageInput input = this->input();
  input.words = words, input.lines = lines;
  out_.drafts.regions =
      runs_downwards(words) ? detect_downwards(detector_, input) : detector_.detect(input);
}

void PageJob::add(Drafter& drafter) {
  const DrafterRole role = drafter.role();
  const ScopedTimer timer(
      out_.timings_ms[role == DrafterRole::raster       ? "ocr"
                      : role == DrafterRole::text_layer ? "text_layer"
                                                        : std::string(drafter.name())]);
  for (Draft& draft : drafter.draft(input(), out_.drafts.regions))
    out_.drafts.drafts.push_back(std::move(draft));
}

void PageJob::use_text_layer(Drafter* drafter) {
  detect(text_words(), {});
  if (drafter) add(*drafter);
  if (std::string doubt = hidden_text_ ? doubt_of_rubble(out_.drafts.drafts)
                                       : doubt_of_letters(out_.text_layer, glyphs_);
      !doubt.empty())
    out_.doubt = std::move(doubt);
  if (out_.doubt.empty()) out_.doubt = doubt_of_brackets(out_.drafts.drafts);
  if (out_.doubt.empty()) out_.doubt = doubt_of_formulas(out_.drafts.drafts);
}

void PageJob::distrust() {
  put_off_ = std::exchange(out_.text_layer_trusted, false);
}

bool PageJob::is_confirmed_by(std::span<const Word> words) const {
  constexpr double kConfirmed = 0.8;
  if (!hidden_text_) return confirmed_by(out_.text_layer, words).value_or(0) >= kConfirmed;
  return put_off_ && !is_sure_of(words, count_letters(out_.text_layer));
}

bool PageJob::read_raster(const std::vector<Drafter*>& engines, LazyFormulaReader& formulas) {
  Drafter& ocr = *engines.front();
  render_once();
  const bool own_text = !out_.text_layer.empty();  // which stands upright
  auto of_layer = std::exchange(formulas_, std::nullopt);
  if (!own_text) turn_page(timed_ocr([&] { return turns_by_strokes(ocr, input()); }));
  std::vector<Word> words = read_words(ocr);
  std::string doubt = ocr.doubt();  // of this reading; to tell a turned page, lines are read again
  constexpr size_t kFew = 12;       // lines, too few to tell by their strokes
  const bool few = rough_lines_.size() <= kFew && !doubt.empty();
  if (!own_text && (few || mostly_tall(rough_lines_)))
    if (const int turns = timed_ocr([&] { return turns_by_reading(ocr, input_as_is()); })) {
      turn_page(turns);
      words = read_words(ocr);
      doubt = ocr.doubt();
    }
  const bool confirmed = is_confirmed_by(words);
  const bool read = count_letters(words) * 2 >= count_letters(out_.text_layer) && !confirmed;
  out_.text_layer_trusted |= confirmed;
  FormulaReadings formulas_read;
  if (read) {
    add_blanks(words, *any_image(), 1);
    timed_ocr([&] { read_seen_formulas(words, formulas, ocr); });
    ocr_words_ = words.size();
    detect(words, {});
    out_.drafts.drafts = region_drafts(out_.drafts.regions, words, out_.drafts.dpi, ocr.name());
    write_seen_formulas(out_.drafts.drafts, out_.drafts.regions, glyphs_);
    formulas_read =
        timed_ocr([&] { return read_formula_regions(formulas, *any_image(), out_.drafts); });
    for (size_t i = 1; i < engines.size(); ++i) add(*engines[i]);
  }
  if (!read) formulas_ = std::move(of_layer);
  if (out_.skew != 0) turn_back();
  deskewed_ = {};
  out_.doubt = std::move(doubt);
  if (read && out_.doubt.empty()) out_.doubt = doubt_of_unsure_text(out_.drafts.drafts);
  if (read && out_.doubt.empty()) out_.doubt = doubt_of_flat_formulas(out_.drafts, formulas_read);
  return read;
}

void PageJob::read_seen_formulas(std::vector<Word>& words, LazyFormulaReader& formulas,
                                 Drafter& ocr) {
  const auto again = [&](std::span<const Box> lines) {
    PageInput page = input();
    page.lines = lines;
    return read_lines(ocr, page, lines);
  };
  words = read_fractions_of_lines(formulas, again, *any_image(), std::move(words));
  glyphs_ = seen_glyphs(words, *any_image());
  if (!has_inline_formulas(words) || is_vietnamese(words)) return;  // lost letters leave lone ones
  words = words_with_formulas(words, glyphs_, read_inline_formulas(GlyphLines(glyphs_), {}));
  words = join_seen_formulas(read_formulas_of_lines(formulas, *any_image(), std::move(words)));
}

bool PageJob::replay(Drafter& drafter) {
  auto regions = drafter.regions(input());
  if (!regions) return false;
  out_.drafts.regions = std::move(*regions);
  add(drafter);
  return true;
}

void PageJob::note_if_unread() {
  if (!has_text(out_.drafts)) out_.doubt = "no draft source read any text of this page";
}

void PageJob::doubt_text_layer() {
  if (!trusted())
    out_.doubt = "its text layer may be wrong or lack text, and OCR read less than it holds";
}

void PageJob::count_words(std::string_view source) {
  const size_t found = source == "text-layer" ? text_words().size() : ocr_words_;
  size_t held = 0;
  for (const Draft& draft : out_.drafts.drafts)
    if (draft.source == source) held += draft.words.size();
  if (stands_in_pictures(out_.drafts) && out_.doubt.empty())
    out_.doubt = "most of its text stands in what looks like a picture";
  if (out_.doubt.empty()) out_.doubt = doubt_of_scattered_text(out_.drafts);
  if (found > 0) out_.coverage = std::min(1.0, double(held) / double(found));
}

void PageJob::note_if_specks_only() {
  constexpr double kSpecks = 0.0005;  // of the page: the size of three letters
  out_.blank = !has_text(out_.drafts) && ink_ && ink_->share() < kSpecks;
  if (out_.blank) out_.doubt.clear();
}

bool PageJob::has_ink_beside(std::span<const Word> words) const {
  constexpr size_t kLeast = 3;  // pieces
  if (!ink_) return false;
  std::vector<Box> boxes;
  for (const Word& word : words) boxes.push_back(word.box);
  return ink_->pieces_beside(boxes).size() >= kLeast;
}

void PageJob::set_frame(double dpi) {
  out_.drafts.dpi = dpi;
  out_.drafts.width_px = std::max(1, int(std::ceil(out_.info.width_pt * dpi / 72)));
  out_.drafts.height_px = std::max(1, int(std::ceil(out_.info.height_pt * dpi / 72)));
}

PageImage PageJob::upright(Raster raster) const {
  return turns_ == 0 ? std::move(raster.image) : turn(raster.image, turns_);
}

void PageJob::render_once() {
  if (out_.image) return;
  const ScopedTimer timer(out_.timings_ms["raster"]);
  render();
}

void PageJob::render() {
  Raster raster = reader_.raster(out_.drafts.page, out_.drafts.dpi, options_.max_pixels);
  out_.dpi_reduced |= raster.dpi_reduced;
  out_.image = upright(std::move(raster));
  out_.drafts.dpi = out_.image->dpi();  // an image file has no more dots than it has
  out_.drafts.width_px = out_.image->width_px();
  out_.drafts.height_px = out_.image->height_px();
}

std::vector<Word> PageJob::read_words(Drafter& ocr) {
  {
    const ScopedTimer timer(out_.timings_ms["raster"]);
    PageImage even = evenly_lit(without_grain(without_specks(dark_on_light(*out_.image))));
    out_.skew = degrees_to_straight(even);
    deskewed_ = out_.skew != 0 ? rotate(even, out_.skew) : std::move(even);
  }
  const ScopedTimer timer(out_.timings_ms["ocr"]);
  for (bool again = false;; again = true) {
    rough_lines_ = ocr.text_lines(input());
    const std::string_view engine = ocr.name();
    detect({}, rough_lines_);
    std::vector<Word> words = words_of(ocr.draft(input(), out_.drafts.regions));
    // Another engine, which `--lang auto` chose for this page, finds lines of its own.
    if (again || ocr.name() == engine) return words;
  }
}

void PageJob::turn_page(int turns) {
  if (turns == 0) return;
  deskewed_ = {};
  out_.image = turn(*out_.image, turns);
  turn_frame(turns);
}

void PageJob::turn_frame(int turns) {
  out_.info.rotation = (out_.info.rotation + 90 * turns) % 360;
  if (turns % 2 == 0) return;
  std::swap(out_.info.width_pt, out_.info.height_pt);
  std::swap(out_.drafts.width_px, out_.drafts.height_px);
}

void PageJob::turn_back() {
  const auto turn_back = [&](Box& box) {
    box = rotate(box, -out_.skew, out_.drafts.width_px, out_.drafts.height_px);
  };
  for (Region& region : out_.drafts.regions) turn_back(region.box);
  for (Draft& draft : out_.drafts.drafts)
    for (Word& word : draft.words) turn_back(word.box);
}

const PageImage* PageJob::any_image() const {
  if (!deskewed_.empty()) return &deskewed_;
  if (out_.image) return &*out_.image;
  return small_.empty() ? nullptr : &small_;
}

PageInput PageJob::input_as_is() const {
  PageInput input = this->input();
  input.image = &*out_.image;
  return input;
}

PageInput PageJob::input() const {
  PageInput input;
  input.page = out_.drafts.page;
  input.width_px = out_.drafts.width_px, input.height_px = out_.drafts.height_px;
  input.dpi = out_.drafts.dpi;
  input.image = any_image();
  input.text_layer = text_words();
  if (formulas_) input.formulas = *formulas_;
  return input;
}

}  // namespace docspec
