#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/document/drafter.h"
#include "drafts/lines/text_blocks.h"

namespace docspec {

/// Finds the kind of a paragraph by its words, size, weight and position. The rules read the text,
/// so they know Latin scripts best.
class RegionRules {
 public:
  RegionRules(const PageInput& page, const std::vector<TextLine>& lines, double body_px);
  /// `first`: it opens the page's body.
  RegionKind kind(const TextBlock& block, bool first) const;

 private:
  bool is_title(const TextBlock& block, const std::string& text, bool first) const;
  bool is_formula(const TextBlock& block, const std::string& text) const;
  bool is_slide_title(const TextBlock& block, const std::string& text) const;
  bool is_of_largest(const TextLine& line) const {
    return line.size_px >= (line.rough_size ? 0.9 : 0.98) * largest_px_;
  }
  bool opens_names(const TextLine& line) const;
  bool is_centred_heading(const TextBlock& block, const std::string& text) const;
  bool is_bold_point(const TextBlock& block, std::string_view text) const;
  bool runs_on(const TextLine& line, const std::string& text) const;
  bool heads_smaller_text(const TextLine& line, const std::string& text) const;
  bool is_plain_heading(const TextBlock& block, const std::string& text) const;
  bool is_filled_in(const TextLine& line) const;
  bool is_of_foot(const TextLine& line) const;
  bool is_heading(const TextBlock& block, const std::string& text) const;
  bool is_in_own_font(const TextLine& line) const;

  const PageInput& page_;
  const std::vector<TextLine>& lines_;
  double body_px_;
  double largest_px_ = 0;                      // font size of the largest line in the upper half
  std::map<std::string, double> text_fonts_;   // size of the long lines of each, in px
  std::map<std::string, double> font_shares_;  // of the page's letters
  bool starred_notes_ = false;  ///< "**" opens a line, or "*" one alone: "*" is no bullet
  bool bold_tells_ = true;      // false where most of the page is bold
};

}  // namespace docspec
