#pragma once

#include <optional>
#include <random>
#include <string>
#include <vector>

#include "core/letters/reconcile.h"

namespace docspec::test {

/// A page of blocks whose words stand in lines of 500 points, and what a model says of them.
class LetterPage {
 public:
  /// A block with these words on the page; the model says the same until told otherwise. Returns
  /// its index.
  size_t add_block(RegionKind kind, const std::string& text);
  void says(size_t block, const std::string& text) { page.blocks[block].text = text; }
  const std::string& text(size_t block) const { return page.blocks[block].text; }
  std::string text() const;

  /// Ink under each word of the layer as it is now, in a dark colour of its own.
  void paint();
  void reconcile(LetterRule rule = LetterRule::automatic);

  Page page;
  std::vector<Word> layer;
  bool trusted = true;
  std::optional<PageImage> image;
  Drafter* ocr = nullptr;

 private:
  int y_ = 40;
};

/// Sees which words LetterPage::paint has painted in a box, by their colours: those of which at
/// least half is in it.
class TruthOcr : public Drafter {
 public:
  /// `errors`: share of the words that it misreads.
  explicit TruthOcr(std::vector<Word> words, double errors = 0)
      : words_(std::move(words)), errors_(errors) {}
  std::string_view name() const override { return "tesseract"; }
  std::vector<Draft> draft(const PageInput& page, const std::vector<Region>& regions) override;
  size_t asked = 0;

 private:
  std::vector<Word> words_;
  double errors_;
  std::mt19937 rng_{5};
};

/// `text` as a model with this share of wrong tokens writes it: tokens are pieces of up to four
/// letters; a wrong one is another, missing, or written twice.
std::string with_token_errors(const std::string& text, double rate, std::mt19937& rng);

/// Words of `truth` and of `text` that do not stand in the other in this order.
size_t wrong_words(const std::string& truth, const std::string& text);
/// The same of words with a digit alone.
size_t wrong_numbers(const std::string& truth, const std::string& text);

/// Words of a made-up report, with numbers; `words` of them.
std::string report_text(size_t words, std::mt19937& rng);

}  // namespace docspec::test
