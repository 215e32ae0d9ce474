#pragma once

#include <span>

#include "core/model/prompt_set.h"
#include "core/page/draft.h"
#include "core/page/page_image.h"

namespace docspec {

/// Margin that is kept around the box of a region: a third of a text line.
int crop_margin_px(const PageImage& page);

/// A page as a model reads it region by region: deskewed, and with a region in parts if it has more
/// lines than the model was trained for (PromptSet::level_crops, crop_lines).
class CropView {
 public:
  /// `skew`: degrees clockwise that make the lines of the page level. `page` must outlive the view.
  CropView(const PromptSet& prompts, const PageImage& image, double skew, const PageDrafts& page);

  const PageImage& image() const { return level_.empty() ? *image_ : level_; }
  const PageDrafts& drafts() const { return drafts_; }

  /// The drafts of the page, given the results `read` of the view. The "verified" texts of all
  /// parts of a region, joined by blanks, replace the draft of the region; other drafts stay as
  /// they were.
  PageDrafts whole(const PageDrafts& read) const;

 private:
  void set_level(double skew);
  void cut(size_t most_lines);

  const PageImage* image_;
  const PageDrafts* page_;
  PageImage level_;
  PageDrafts drafts_;
};

/// The draft of each part of a region that is cut at the heights `cuts` (ascending): the words in
/// that part. Empty if a part would have no words.
std::vector<Draft> cut_draft(const Draft& draft, std::span<const int> cuts);

/// Heights at which to cut a region, so that no part has more than `most` lines of its drafts'
/// words. No cut separates a word that is hyphenated at the end of its line.
std::vector<int> line_cuts(std::span<const Draft* const> drafts, size_t most);

}  // namespace docspec
