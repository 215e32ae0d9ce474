#include "drafts/ocr/ppocr_drafter.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <iterator>
#include <utility>

#include "core/base/error.h"
#include "core/base/median.h"
#include "core/page/ink_pieces.h"
#include "core/text/unicode.h"
#include "drafts/lines/line_parts.h"
#include "drafts/ocr/line_regularity.h"
#include "drafts/ocr/ocr_words.h"
#include "drafts/ocr/ppocr/reader.h"
#include "drafts/ocr/seen_code.h"
#include "drafts/ocr/stacks.h"
#include "drafts/text/drop_caps.h"
#include "drafts/text/region_text.h"

namespace docspec {
namespace {

/// The box around a line that leans, without what it was grown by to hold all ink.
Box around(const ppocr::LineBox& line) {
  constexpr double kInk = 0.75;  // of a found line's height
  const double height = line.height * kInk, width = line.width - (line.height - height);
  const double c = std::abs(std::cos(line.angle)), s = std::abs(std::sin(line.angle));
  const double x = (width * c + height * s) / 2, y = (width * s + height * c) / 2;
  return {int(std::lround(line.x - x)), int(std::lround(line.y - y)), int(std::lround(line.x + x)),
          int(std::lround(line.y + y))};
}

bool holds(const Box& box, const ppocr::LineBox& line) {
  return line.x >= box.x0 && line.x < box.x1 && line.y >= box.y0 && line.y < box.y1;
}

/// Takes out slanting lines of a page whose text is level: watermarks and stamps.
void drop_slanting(std::vector<ppocr::LineBox>& lines) {
  constexpr double kSlanting = 0.35, kLevel = 0.1;  // radians
  const auto level = std::count_if(lines.begin(), lines.end(), [](const ppocr::LineBox& line) {
    return std::abs(line.angle) < kLevel;
  });
  if (size_t(level) * 5 > lines.size() * 4)
    std::erase_if(lines,
                  [](const ppocr::LineBox& line) { return std::abs(line.angle) > kSlanting; });
}

/// How dark the darkest twentieth of a line is: a level of the green channel.
int ink_level(const PageImage& image, const ppocr::LineBox& line) {
  const Box box = intersect(around(line), {0, 0, image.width_px(), image.height_px()});
  std::vector<uint8_t> levels;
  for (int y = box.y0; y < box.y1; ++y)
    for (int x = box.x0; x < box.x1; ++x) levels.push_back(image.row(y)[3 * x + 1]);
  if (levels.empty()) return 255;
  const auto at = levels.begin() + std::ptrdiff_t(levels.size() / 20);
  std::nth_element(levels.begin(), at, levels.end());
  return *at;
}

/// Whether lines are cells of a table: most of them stand level with others that are as high, as
/// dirt does not.
bool stand_in_rows(const std::vector<ppocr::LineBox>& lines) {
  constexpr double kLevel = 0.2, kAsHigh = 1.25;  // heights; times
  constexpr std::ptrdiff_t kRow = 3;
  const auto in_row = [&](const ppocr::LineBox& line) {
    return std::count_if(lines.begin(), lines.end(), [&](const ppocr::LineBox& other) {
             return std::abs(other.y - line.y) < kLevel * line.height &&
                    std::max(other.height, line.height) <
                        kAsHigh * std::min(other.height, line.height);
           }) >= kRow;
  };
  return size_t(std::count_if(lines.begin(), lines.end(), in_row)) * 2 > lines.size();
}

/// Takes out what was found in the dirt of a page: many short lines, far paler than its text.
void drop_dirt(std::vector<ppocr::LineBox>& lines, const PageImage& image) {
  constexpr double kShort = 4, kLong = 6;  // heights
  constexpr int kPaler = 60;               // levels
  constexpr size_t kMany = 20;
  const auto is_short = [](const ppocr::LineBox& line) {
    return line.width < kShort * line.height;
  };
  if (size_t(std::count_if(lines.begin(), lines.end(), is_short)) < kMany) return;  // most pages
  std::vector<int> text;
  for (const ppocr::LineBox& line : lines)
    if (line.width > kLong * line.height) text.push_back(ink_level(image, line));
  if (text.empty()) return;
  const int usual = median(std::move(text));
  std::vector<ppocr::LineBox> clean, pale;
  for (const ppocr::LineBox& line : lines)
    (is_short(line) && ink_level(image, line) > usual + kPaler ? pale : clean).push_back(line);
  if (pale.size() >= kMany && !stand_in_rows(pale)) lines = std::move(clean);
}

/// Parts lines that run over the gutter between two columns, which the detector does where it is
/// narrow.
std::vector<ppocr::LineBox> parted(const std::vector<ppocr::LineBox>& lines,
                                   const PageImage& image) {
  std::vector<Box> boxes;
  for (const ppocr::LineBox& line : lines) boxes.push_back(around(line));
  const std::vector<Box> parts = part_lines(image, boxes);  // those of a line follow each other
  std::vector<ppocr::LineBox> out;
  for (size_t i = 0, k = 0; i < lines.size(); ++i) {
    const size_t first = k;
    while (parts[k].x1 != boxes[i].x1) ++k;
    ++k;
    if (k - first == 1) {
      out.push_back(lines[i]);
      continue;
    }
    const double grown = lines[i].width - boxes[i].width();
    for (size_t part = first; part < k; ++part) {
      ppocr::LineBox own = lines[i];
      own.x = (parts[part].x0 + parts[part].x1) / 2.0;
      own.y += (own.x - lines[i].x) * std::sin(own.angle);
      own.width = parts[part].width() + grown;
      for (ppocr::LineBend::Knot& knot : own.bend.knots) knot.along -= own.x - lines[i].x;
      out.push_back(own);
    }
  }
  return out;
}

/// Whether the lines inside fill so much of a region that it is text: columns of vertical lines and
/// large letters look like a picture.
bool full_of(const std::vector<ppocr::LineBox>& lines, const Box& box) {
  constexpr double kText = 0.3;  // of the area; labels of a chart have less
  double area = 0;
  for (const ppocr::LineBox& line : lines)
    if (holds(box, line)) area += line.width * line.height;
  return area > kText * double(box.area());
}

/// On a page in other letters, takes out words of one or two Chinese characters that PP-OCR is not
/// sure of: it sees them in noise and in ornaments. A dash is no "one".
void mend_stray_cjk(std::vector<ppocr::ReadLine>& lines) {
  constexpr double kForeign = 0.02, kSure = 0.8;
  constexpr size_t kFew = 2;
  double cjk = 0, all = 0;
  for (const ppocr::ReadLine& line : lines)
    for (const Word& word : line.words)
      cjk += double(count_cjk(word.text)), all += double(count_code_points(word.text));
  if (cjk > kForeign * all) return;
  for (ppocr::ReadLine& line : lines) {
    std::erase_if(line.words, [&](const Word& word) {
      const size_t count = count_code_points(word.text);
      return word.text != "一" && count <= kFew && count_cjk(word.text) == count &&
             word.confidence < kSure;
    });
    for (Word& word : line.words)
      if (word.text == "一") word.text = "—";
  }
}

/// Puts the sign of a list's item before a line's words, in the place of what it was read as.
void put_sign(std::vector<Word>& words, Word sign) {
  constexpr std::string_view kBullet = "•";
  Box& first = words.front().box;
  std::string& text = words.front().text;
  const bool read = (first.x0 + first.x1) / 2 < sign.box.x1 && words.size() > 1;
  if (read) {
    words.erase(words.begin());
  } else {
    first.x0 = std::max(first.x0, std::min(sign.box.x1 + sign.box.width(), first.x1 - 1));
    if (text.size() > kBullet.size() && text.starts_with(kBullet)) text.erase(0, kBullet.size());
  }
  sign.space_after = true;
  words.insert(words.begin(), std::move(sign));
}

constexpr double kLeastWidth = 0.75;  // of its height: a narrower line runs downwards

/// A letter that stands alone as a line to read. Its box grows as found lines do; a narrow one
/// stays wide enough not to be taken for a line that runs downwards.
ppocr::LineBox line_of(const Box& letter) {
  constexpr double kGrown = 1.35;
  const double height = letter.height() * kGrown;
  const double width = std::max(letter.width() + height - letter.height(), kLeastWidth * height);
  return {(letter.x0 + letter.x1) / 2.0, (letter.y0 + letter.y1) / 2.0, width, height, 0, 1};
}

/// Parts what was found as a line that runs downwards and is a stack of signs.
void part_stacks(std::vector<ppocr::LineBox>& lines, const PageImage& image) {
  std::vector<Box> boxes;
  for (const ppocr::LineBox& line : lines) boxes.push_back(around(line));
  for (size_t i = 0; i < boxes.size(); ++i) {
    const double x = lines[i].width / 2, y = lines[i].height / 2;
    const Box whole{int(lines[i].x - x), int(lines[i].y - y), int(lines[i].x + x),
                    int(lines[i].y + y)};
    const std::vector<Box> signs = signs_of_stack(image, whole, boxes);
    if (signs.empty()) continue;
    lines[i] = line_of(signs.front());
    for (size_t k = 1; k < signs.size(); ++k) lines.push_back(line_of(signs[k]));
  }
}

/// Widens what is as narrow as a lone "}" and no higher than the lines of a page of level lines: it
/// is no line that runs downwards.
void widen_lone_signs(std::vector<ppocr::LineBox>& lines) {
  constexpr double kHigher = 1.2;
  std::vector<double> heights;
  for (const ppocr::LineBox& line : lines)
    if (line.width > line.height) heights.push_back(line.height);
  if (heights.size() * 5 < lines.size() * 4 || heights.empty()) return;
  const double highest = kHigher * median(std::move(heights));
  for (ppocr::LineBox& line : lines)
    if (line.height <= highest) line.width = std::max(line.width, kLeastWidth * line.height);
}

/// Whether what stands alone was surely read as digits or capitals: small letters stand alone in
/// formulas and pictures.
bool sure(const ppocr::ReadLine& line) {
  constexpr double kSure = 0.9;
  return line.words.size() == 1 && line.confidence >= kSure &&
         std::all_of(line.text.begin(), line.text.end(),
                     [](char c) { return std::isdigit(uint8_t(c)) || std::isupper(uint8_t(c)); });
}

/// Whether a line is one sign again and again, such as the asterisks across a receipt: its pieces
/// of ink are of one size.
bool is_ornament(const PageImage& image, const ppocr::LineBox& line) {
  constexpr size_t kLeast = 12;
  constexpr int kAlike = 2;  // pixels
  const Box box = intersect(around(line), {0, 0, image.width_px(), image.height_px()});
  if (box.empty()) return false;
  const InkPieces pieces(image, box);
  int most = 0;
  for (const InkPieces::Blob& blob : pieces.all()) most = std::max(most, blob.box.height());
  std::vector<int> widths, heights;
  for (const InkPieces::Blob& blob : pieces.all())
    if (blob.box.height() * 2 > most)  // others are parts of broken signs
      widths.push_back(blob.box.width()), heights.push_back(blob.box.height());
  if (widths.size() < kLeast) return false;
  const int width = median(widths), height = median(heights);
  size_t alike = 0;
  for (size_t i = 0; i < widths.size(); ++i)
    alike += std::abs(widths[i] - width) <= kAlike && std::abs(heights[i] - height) <= kAlike;
  return alike * 10 >= widths.size() * 8;
}

/// Mean confidence of the lines' characters, each line by its length; of lines in which next to
/// nothing was read it is low. Ornaments do not count.
double legibility_of(const PageImage& image, std::span<const ppocr::ReadLine> lines) {
  constexpr double kLeastCharacters = 0.35;  // of a line's height in width; print has one or two
  constexpr double kUnread = 0.6;
  double sum = 0, weight = 0;
  for (const ppocr::ReadLine& line : lines) {
    const double longer = std::max(line.box.width, line.box.height);
    const double length = longer / std::max(1.0, std::min(line.box.width, line.box.height));
    size_t characters = 0;
    double confidence = 0;
    for (const Word& word : line.words) {
      const size_t count = count_code_points(word.text);
      characters += count;
      confidence += std::pow(word.confidence, 1.0 / double(count)) * double(count);
    }
    const double sure = characters == 0
                            ? 0
                            : confidence / double(characters) *
                                  std::min(1.0, double(characters) / length / kLeastCharacters);
    if (sure < kUnread && is_ornament(image, line.box)) continue;
    sum += length * sure;
    weight += length;
  }
  return weight > 0 ? sum / weight : 1;
}

}  // namespace

PpOcrDrafter::PpOcrDrafter(ppocr::OpenReader open) : open_(std::move(open)) {}
PpOcrDrafter::~PpOcrDrafter() = default;

std::vector<Box> PpOcrDrafter::text_lines(const PageInput& page) {
  find(page);
  found_in_ = page.image;
  std::vector<Box> out;
  for (const ppocr::LineBox& line : lines_) out.push_back(around(line));
  for (const MissedInk::Sign& sign : signs_) out[sign.line] = unite(out[sign.line], sign.word.box);
  return out;
}

std::vector<Draft> PpOcrDrafter::draft(const PageInput& page, const std::vector<Region>& regions) {
  // The lines may be known from text_lines(); they are used once, for the image may change.
  const bool known = std::exchange(found_in_, nullptr) == page.image && page.lines.empty();
  if (!known) find(page);
  std::vector<Box> pictures;
  for (const Region& region : regions)
    if (region.kind == RegionKind::picture && !full_of(lines_, region.box))
      pictures.push_back(region.box);
  constexpr size_t kRunning = 3;  // words of a line of running text, at least
  std::vector<ppocr::ReadLine> read = read_wanted(*page.image, pictures);
  std::vector<Word> words;
  std::vector<size_t> lengths, starts;
  std::vector<ppocr::LineBox> running;
  for (ppocr::ReadLine& line : read) {
    join_cjk_stops(line.words);
    if (line.words.size() >= kRunning) running.push_back(line.box);
    lengths.push_back(line.words.size());
    starts.push_back(words.size());
    for (Word& word : line.words) word.line = int(starts.size());
    std::move(line.words.begin(), line.words.end(), std::back_inserter(words));
  }
  jitter_ = baseline_jitter(words, lengths);
  slopes_ = slope_jitter(running);
  vietnamese_ = is_vietnamese(words);
  close_cjk_gaps(words, starts);
  mend_letters(words);
  mark_heavy(words, lengths, *page.image);
  name_seen_code(words, lengths);
  join_drop_caps(words);
  return region_drafts(regions, words, page.dpi, name());
}

std::string PpOcrDrafter::doubt() const {
  constexpr double kReads = 0.85, kParallel = 0.12;  // drafts.md 5
  if (legibility_ < kReads) return kIllegible;
  if (vietnamese_) return kVietnamese;
  return jitter_ > kEvenLines || slopes_ > kParallel ? kUneven : "";
}

double PpOcrDrafter::legibility(const PageInput& page) {
  constexpr size_t kLook = 6;
  std::vector<ppocr::LineBox> longest = lines_;
  std::stable_sort(longest.begin(), longest.end(),
                   [](const auto& a, const auto& b) { return a.width > b.width; });
  longest.resize(std::min(longest.size(), kLook));
  return legibility_of(*page.image, reader_->read(*page.image, longest));
}

bool PpOcrDrafter::can_run() {
  if (!reader_) reader_ = open_();
  return reader_ != nullptr;
}

std::vector<ppocr::ReadLine> PpOcrDrafter::read_wanted(const PageImage& image,
                                                       std::span<const Box> pictures) {
  std::vector<ppocr::LineBox> wanted;
  std::vector<size_t> places;
  for (size_t i = 0; i < lines_.size(); ++i)
    if (std::none_of(pictures.begin(), pictures.end(),
                     [&](const Box& picture) { return holds(picture, lines_[i]); }))
      wanted.push_back(lines_[i]), places.push_back(i);
  std::vector<ppocr::ReadLine> read = reader_->read(image, wanted);
  legibility_ = legibility_of(
      image, std::span(read).first(size_t(
                 std::lower_bound(places.begin(), places.end(), letters_from_) - places.begin())));
  mend_stray_cjk(read);
  for (size_t k = 0; k < read.size(); ++k) {
    std::vector<Word>& words = read[k].words;
    const auto sign = std::find_if(signs_.begin(), signs_.end(),
                                   [&](const auto& other) { return other.line == places[k]; });
    const bool is_sign = std::any_of(signs_.begin(), signs_.end(), [&](const auto& other) {
      return other.line != places[k] && holds(other.word.box, lines_[places[k]]);
    });
    if (is_sign || (places[k] >= letters_from_ && !sure(read[k]))) words.clear();
    if (words.empty() || sign == signs_.end()) continue;
    Word word = sign->word;
    word.font_size_pt = words.front().font_size_pt;
    put_sign(words, std::move(word));
  }
  std::erase_if(read, [](const ppocr::ReadLine& line) { return line.words.empty(); });
  return read;
}

void PpOcrDrafter::find(const PageInput& page) {
  if (!page.image || page.image->empty())
    throw Error(ExitCode::internal, "OCR: page " + std::to_string(page.page) + " has no raster");
  if (!open_)
    throw Error(ExitCode::dependency,
                "PP-OCR is not installed; run packaging/deps --ocr, or take --draft tesseract");
  if (!can_run())
    throw Error(ExitCode::dependency,
                "PP-OCR needs docspec's engine; docspec doctor says how to install it, or take "
                "--draft tesseract");
  lines_.clear();
  for (const Box& box : page.lines)
    lines_.push_back({(box.x0 + box.x1) / 2.0, (box.y0 + box.y1) / 2.0, double(box.width()),
                      double(box.height()), 0, 1});
  signs_.clear();
  letters_from_ = lines_.size();
  if (!lines_.empty()) return;
  lines_ = reader_->find(*page.image);
  drop_slanting(lines_);
  drop_dirt(lines_, *page.image);
  lines_ = parted(lines_, *page.image);
  part_stacks(lines_, *page.image);
  widen_lone_signs(lines_);
  letters_from_ = lines_.size();
  std::vector<Box> boxes;
  for (const ppocr::LineBox& line : lines_) boxes.push_back(around(line));
  MissedInk missed = find_missed_ink(*page.image, boxes);
  signs_ = std::move(missed.signs);
  for (const Box& letter : missed.letters) lines_.push_back(line_of(letter));
}

}  // namespace docspec
