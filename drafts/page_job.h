#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/stopwatch.h"
#include "core/document/drafted_page.h"
#include "core/document/drafter.h"
#include "core/input/document_reader.h"
#include "core/page/ink_map.h"
#include "drafts/formula/inline_formulas.h"
#include "drafts/ocr/drawn_text.h"
#include "drafts/ocr/formulas/read_formulas.h"
#include "drafts/ocr/orientation.h"
#include "drafts/page_drafter.h"

namespace docspec {

/// One page on its way through the parts of a PageDrafter.
class PageJob {
 public:
  PageJob(const PageDraftOptions& options, LayoutDetector& detector, const DocumentReader& reader,
          int page);

  void read_text_layer();

  /// Renders the page for its ink: small unless something else needs its pixels, as `drafters` do.
  /// A page that cannot be rendered but has text goes on without.
  void look_at_ink(bool drafters);

  /// Makes one word of each formula within text, when the words of the text layer are mended and
  /// before anything else looks at them.
  void join_formulas();

  bool trusted() const { return out_.text_layer_trusted; }

  /// Whether the text layer is what a program for OCR wrote over a scan.
  bool hides_text() const { return hidden_text_; }

  /// Puts off the trust in the text layer until OCR has read the page, too.
  void distrust();

  bool blank() const { return ink_ && ink_->blank(); }

  void detect(std::span<const Word> words, std::span<const Box> lines);

  void add(Drafter& drafter);

  /// Regions from the text layer's words, and its draft where `drafter` is there.
  void use_text_layer(Drafter* drafter);

  /// Lines, rough regions, words; then the regions that the words show, which the other engines
  /// read too; `formulas` reads display formulas. Returns whether the drafts are OCR's; else the
  /// text layer holds more, or is confirmed and trusted now.
  bool read_raster(const std::vector<Drafter*>& engines, LazyFormulaReader& formulas);

  /// Puts the formulas within lines of OCR's words together, and lets `formulas` read these lines;
  /// `ocr` reads the parts of fractions again.
  void read_seen_formulas(std::vector<Word>& words, LazyFormulaReader& formulas, Drafter& ocr);

  /// Lets OCR read the pictures of a page with a text layer that are tables or running text, and
  /// finds the regions anew with their words.
  void read_pictures(Drafter& text, Drafter& ocr);

  /// Reads the pictures that hold most of the page's text, such as clippings on a cover sheet, and
  /// those of light text on dark paper that OCR is sure of, as pages of their own, puts their
  /// regions in their places, and then trusts the text layer, which has the rest. Returns whether
  /// there are any. `formulas`: as in read_raster.
  bool read_clippings(Drafter& text, const std::vector<Drafter*>& engines,
                      LazyFormulaReader& formulas);

  /// Lets OCR read what is drawn as shapes in and between the lines of the text layer, and adds it
  /// to them. Where this is formulas, `reader` reads them.
  void read_drawn_text(Drafter& ocr, LazyFormulaReader& reader);

  /// False if the drafter does not have the page.
  bool replay(Drafter& drafter);

  /// Without OCR a page that has ink and no text in its drafts was not read.
  void note_if_unread();

  void doubt_text_layer();

  /// What the drafts of `source` hold of the words that it found.
  void count_words(std::string_view source);

  bool coverage_known() const { return out_.coverage.has_value(); }
  void note_blank() { out_.blank = true; }
  /// A scanned empty page has specks, and OCR that read nothing in them.
  void note_if_specks_only();
  void find_skew() {
    if (out_.image) out_.skew = degrees_to_straight(*out_.image);
  }
  bool has_text_layer() const { return !out_.text_layer.empty(); }
  DraftedPage take() { return std::move(out_); }

 private:
  /// A part of `page` as a page of its own: `image`.
  PageJob(const PageJob& page, PageImage image);

  void set_frame(double dpi);

  /// Where the page's content shows the glyphs of its formulas.
  void read_page_formulas();

  /// The words of the text layer, one for each formula within text, and what OCR added to them.
  const std::vector<Word>& text_words() const;

  /// Whether the page has some pieces of ink that are not of these words.
  bool has_ink_beside(std::span<const Word> words) const;

  PageImage upright(Raster raster) const;

  void render();
  /// Renders the page at its frame's size, if that was not done yet.
  void render_once();

  /// The words of the page, set level and evenly lit, by rough regions of its lines.
  std::vector<Word> read_words(Drafter& ocr);

  template <class Work>
  auto timed_ocr(const Work& work) {
    const ScopedTimer timer(out_.timings_ms["ocr"]);
    return work();
  }

  void turn_page(int turns);

  void turn_frame(int turns);

  /// Converts boxes of the deskewed page to those of the page in the document, which a model sees
  /// and a reader marks.
  void turn_back();

  const PageImage* any_image() const;

  PageInput input_as_is() const;

  /// Whether OCR read running text, without columns, and is sure of it.
  bool is_sure_prose() const;

  /// Whether the lines that OCR finds and the text layer has no word of are all in these pictures.
  bool hold_the_rest(std::span<const Region> pictures, Drafter& ocr);

  /// A clipping as a page of its own, if OCR finds enough lines in it; `least`: of its letters.
  std::optional<PageJob> clipping(const Box& picture, size_t least, Drafter& ocr) const;

  /// Lets a model read the formulas that are drawn on a page with a text layer, within lines and
  /// alone. `seen`: what OCR read of the pieces. False where there is no model.
  bool read_drawn_formulas(const DrawnText& drawn, const std::vector<Draft>& seen,
                           LazyFormulaReader& reader);

  /// Puts a clipping's regions in the place of its picture.
  void insert(const Region& picture, const PageJob& clipping);

  /// Whether OCR's words say that the text layer is to be taken.
  bool is_confirmed_by(std::span<const Word> words) const;

  PageInput input() const;

  const PageDraftOptions& options_;
  LayoutDetector& detector_;
  const DocumentReader& reader_;
  size_t ocr_words_ = 0;
  bool hidden_text_ = false;      ///< the text layer is what OCR wrote behind a scan
  bool put_off_ = false;          ///< whether the text layer was trusted before distrust()
  int turns_ = 0;                 // that the text layer's words want
  PageImage small_;               // of lower resolution than the frame
  PageImage deskewed_;            // a scan set level and evenly lit for OCR and layout
  std::vector<Box> rough_lines_;  // that OCR found
  std::optional<InkMap> ink_;
  std::optional<std::vector<PageFormula>> formulas_;  // where the page's content shows them
  PageGlyphs glyphs_;                                 // of a page with formulas
  std::vector<InlineFormula> inline_formulas_;        // in its lines of prose
  std::vector<Box> formula_tables_;  // ruled tables that hold the glyphs of formulas
  std::vector<Word> joined_words_;   // of the text layer, where it needs some
  DraftedPage out_;
};

}  // namespace docspec
