#pragma once

#include <cstdint>
#include <limits>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/letters/surety.h"

namespace docspec {

/// How a model is asked: chat layout, the question of each stage, the markup of the answers. Read
/// from a file of share/families (core/model/family_file.h); a docspec.json in the model's folder
/// overrides key by key.
class PromptSet {
 public:
  /// `family`: the family's file; `model`: the model's docspec.json or null. Throws
  /// Error(dependency) naming `file` and key: missing, of another type, or unknown.
  PromptSet(const nlohmann::json& family, const nlohmann::json& model, const std::string& file);

  /// The whole chat as one string, special tokens written out, the image's placeholder once.
  std::string chat(bool with_image, std::string_view question) const;
  /// The question of a stage: "page", or for the region stage "text", "table", "formula"; "layout"
  /// where the model finds the regions itself; "pages" where one prompt may hold several pages.
  /// Throws Error(dependency) if there is none.
  const std::string& question(std::string_view stage) const;
  bool asks(std::string_view stage) const;

  const std::string& image_token() const { return image_token_; }
  const std::string& dialect() const { return dialect_; }  ///< a name of core/markup's registry
  const std::vector<std::string>& stop() const { return stop_; }  ///< tokens that end an answer
  /// Special tokens that are text of the answer: the dialect's tags. Key "markup"; none when
  /// absent.
  const std::vector<std::string>& markup() const { return markup_; }

  /// Most visual tokens of a page that the model can read at once; a larger page is read by its
  /// regions. Key "page_tokens"; unlimited when absent.
  int64_t page_tokens() const { return page_tokens_; }
  /// The size of letters (their em, pixels) that the model was trained for, to which images are
  /// scaled; 0 = any. Key "text_px".
  double text_px() const { return text_px_; }
  /// Whether it was trained for white paper, free of specks, and black ink: a scan is shown as if
  /// it were so. Key "even_light".
  bool even_light() const { return even_light_; }
  /// Whether its crops are cut from a page whose lines lie level. Key "level_crops".
  bool level_crops() const { return level_crops_; }
  /// Most lines of a crop of running text; a taller region is read in parts. Key "crop_lines";
  /// unlimited when absent.
  size_t crop_lines() const { return crop_lines_; }
  /// The side of the square to which a page is stretched for the question "layout". Key
  /// "layout_px"; there with the question.
  int layout_px() const { return layout_px_; }
  /// The longest side of a page's image that the model was trained for; 0 = any. Key "longest_px".
  double longest_px() const { return longest_px_; }
  /// Least and most pixels of an image instead of those of preprocessor_config.json; 0 = those.
  /// Keys "min_pixels" and "max_pixels".
  int64_t min_pixels() const { return min_pixels_; }
  int64_t max_pixels() const { return max_pixels_; }
  /// The rule against repeated n-grams where generation_config.json does not say; 0 = none, and of
  /// all tokens. Keys "no_repeat_ngram_size" and "no_repeat_ngram_window_size".
  int64_t no_repeat_ngram_size() const { return no_repeat_ngram_size_; }
  int64_t no_repeat_ngram_window_size() const { return no_repeat_ngram_window_size_; }
  /// The mark before each page in the answer to "pages". Key "page_mark"; there with the
  /// question.
  const std::string& page_mark() const { return page_mark_; }
  /// The window of the rule against repeated n-grams in that answer; 0 = as in others. Key
  /// "pages_no_repeat_ngram_window_size".
  int64_t pages_no_repeat_ngram_window_size() const { return pages_no_repeat_ngram_window_size_; }
  /// Mean share of attention that lies on visual rows, a number a layer, as `docspec model
  /// calibrate` measured it. Key "visual_shares"; empty when absent.
  const std::vector<double>& visual_shares() const { return visual_shares_; }
  /// How its margins compare with the confidence of OCR engines, by their names. Key "surety"; none
  /// when absent.
  const SuretyByOcr& surety() const { return surety_; }

 private:
  std::string file_, image_token_, chat_, image_, dialect_, page_mark_;
  std::vector<std::pair<std::string, std::string>> questions_;
  std::vector<std::string> stop_, markup_;
  int64_t page_tokens_ = std::numeric_limits<int64_t>::max();
  int64_t min_pixels_ = 0, max_pixels_ = 0;
  int64_t no_repeat_ngram_size_ = 0, no_repeat_ngram_window_size_ = 0;
  int64_t pages_no_repeat_ngram_window_size_ = 0;
  int layout_px_ = 0;
  double text_px_ = 0, longest_px_ = 0;
  bool even_light_ = false, level_crops_ = false;
  size_t crop_lines_ = std::numeric_limits<size_t>::max();
  std::vector<double> visual_shares_;
  SuretyByOcr surety_;
};

}  // namespace docspec
