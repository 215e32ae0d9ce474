#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/page/region.h"
#include "core/page/text_mark.h"

namespace docspec {

/// One word that a drafter read; the box is in pixels of the page's raster.
struct Word {
  std::string text;  ///< UTF-8, without white space
  Box box;
  double confidence = 1;    ///< 0..1
  double font_size_pt = 0;  ///< 0 when unknown
  std::string font = {};    ///< font name where the source has one
  bool heavy = false;  ///< strokes thicker than the page's usual ones, where they were measured
  bool space_after = true;       ///< false where the next word continues this one
  int quarter_turns = 0;         ///< 0 = upright, 1..3 = turned clockwise by as many right angles
  int line = 0;                  ///< words of one line of OCR have one number; 0 = not known
  std::string link = {};         ///< the address that a click on it opens; empty = none
  bool formula = false;          ///< a formula within text: its LaTeX between dollars
  std::vector<int> places = {};  ///< of OCR: the middle of each character; empty = not known
};

/// Proposed text for one scope. An empty text is valid.
struct Draft {
  std::optional<int> region;  ///< the id of a Region; nothing = the whole page
  std::string source;         ///< registry name of the drafter: "text-layer", "tesseract", ...
  std::string text;           ///< neutral markup: paragraphs joined by "\n", UTF-8; a table is HTML
  double confidence = 1;      ///< 0..1
  std::vector<Word> words;    ///< in reading order; may be empty
  std::vector<TextMark> marks = {};  ///< of a paragraph's text, by their first byte
};

/// The drafts of one page before decoding: one page of Drafts JSON in memory.
struct PageDrafts {
  int page = 0;  ///< counted from 1
  int width_px = 0, height_px = 0;
  double dpi = 0;
  std::vector<Region> regions;
  std::vector<Draft> drafts;
};

}  // namespace docspec
