#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.h"
#include "core/document/decode_stats.h"
#include "core/page/region.h"
#include "core/page/text_mark.h"

namespace docspec {

/// The rows [from, to) of a table that stand in `box_pt` of a page: a table that was joined over
/// pages keeps where its parts were.
struct TablePart {
  int page = 0;
  PointBox box_pt;
  int from_row = 0, to_row = 0;
  bool operator==(const TablePart&) const = default;
};

/// Whose letters a word has: those that the model wrote, the PDF's own, or those that OCR read.
enum class WordSource { model, document, ocr };

/// Words of a block's text in their order, and whose letters they have: a row of words on which all
/// readings agree, or one place where they differ.
struct WordReading {
  WordSource source = WordSource::model;
  int count = 1;                                    ///< words that it stands for in the text
  std::string text;                                 ///< what stands where readings differ
  std::optional<std::string> model, document, ocr;  ///< the readings there; "" = no word
  std::string why;                                  ///< why this one stands
  PointBox box_pt;                                  ///< of the place, where readings differ
  bool doubtful = false;                            ///< a number of which no reading is sure

  bool differs() const { return model.has_value(); }
  bool operator==(const WordReading&) const = default;
};

/// One block of a page in reading order.
struct Block {
  int id = 0;  ///< unique in its page
  int order = 0;
  RegionKind kind = RegionKind::text;
  PointBox box_pt;
  std::string text;                   ///< UTF-8; lines kept only where they matter (code, lists)
  bool markdown_text = false;         ///< text is inline Markdown (a model wrote it), else plain
  std::vector<TextMark> marks;        ///< of a plain text, by their first byte
  int depth = 0;                      ///< of a list item: the items that it is nested in
  std::optional<std::string> html;    ///< tables
  std::optional<std::string> latex;   ///< formulas
  std::optional<int> level;           ///< heading level, 1..6
  std::optional<std::string> figure;  ///< file of the crop, relative to the output
  double font_pt = 0;                 ///< font size where the source has it, else 0
  std::vector<TablePart> parts;       ///< of a table joined over pages, else empty
  std::string source;                 ///< which draft or model it came from
  bool unsure = false;                ///< OCR that read it is not sure of most of its words
  std::optional<double> agreement;    ///< share of tokens on which draft and model agree
  std::optional<double> logprob;      ///< mean log-probability of the model's tokens
  std::optional<std::pair<size_t, size_t>> markdown_range;  ///< bytes [from, to) in the Markdown
  std::vector<WordReading> words;  ///< of the text, where it was compared; else empty
};

enum class PageStatus { ok, fallback, failed };
/// Where a page's text came from, best first: the steps of the never-lose rule.
enum class PageLevel { vlm, region, draft, text_layer, image };

std::string_view name(PageStatus status);
std::string_view name(PageLevel level);
std::string_view name(WordSource source);

/// Why a page is not ok.
struct Failure {
  ExitCode code = ExitCode::internal;
  std::string message;
};

/// One page of a document; an own failure is data, never an exception.
struct Page {
  int page = 0;  ///< counted from 1
  double width_pt = 0, height_pt = 0;
  int rotation = 0;          ///< degrees clockwise that were undone
  double dpi = 0;            ///< of the raster that was read; 0 when none was made
  bool dpi_reduced = false;  ///< rendered smaller than asked because of --max-pixels
  PageStatus status = PageStatus::ok;
  PageLevel level = PageLevel::draft;
  std::optional<Failure> failure;
  std::vector<Block> blocks;
  std::string picture;  ///< PNG or WebP of the page for the HTML viewer, empty unless wanted
  std::optional<double> coverage;            ///< share of draft words accounted for
  std::map<std::string, double> timings_ms;  ///< phase -> milliseconds
};

/// Gives blocks their ids and orders by their places.
void number_blocks(std::vector<Block>& blocks);
/// The page is no longer ok: it keeps the best text that there is. `why`: for its Failure.
void fall_back(Page& page, std::string why);

/// The model that read a document.
struct ModelInfo {
  std::string path, family, dtype;
  int64_t parameters = 0;
};

/// The only input of output formats.
struct Document {
  std::string source_file;
  std::string source_sha256;
  int source_pages = 0;  ///< pages of the whole file, also when --pages took fewer
  std::optional<ModelInfo> model;
  std::vector<Page> pages;
  std::optional<ReadingStats> stats;  ///< of the pages that this run has read with a model
  size_t earlier_pages = 0;           ///< pages that an earlier run has read
};

}  // namespace docspec
