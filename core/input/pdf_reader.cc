#include "core/input/pdf_reader.h"

#include <fmt/format.h>
#include <poppler-document.h>
#include <poppler-global.h>
#include <poppler-image.h>
#include <poppler-page-renderer.h>
#include <poppler-page.h>
#include <poppler-toc.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstring>
#include <mutex>
#include <optional>

#include "core/base/error.h"
#include "core/input/content/hidden_text.h"
#include "core/input/letters/glyph_widths.h"
#include "core/input/letters/pi_fonts.h"
#include "core/input/letters/plain_letters.h"
#include "core/input/letters/right_to_left.h"
#include "core/input/letters/tex_letters.h"
#include "core/input/letters/watermarks.h"
#include "core/input/mended_page.h"
#include "core/input/pdf_glyphs.h"
#include "core/input/pdf_images.h"
#include "core/input/pdf_links.h"
#include "core/input/pdf_objects.h"
#include "core/input/pdf_words.h"
#include "core/text/unicode.h"

namespace docspec {
namespace {

// Poppler's error callback is one for the process; each thread collects into the list of its call.
thread_local std::vector<std::string>* collecting = nullptr;

/// Collects what Poppler complains about in this thread while it lives; nothing reaches stderr.
class PopplerErrors {
 public:
  PopplerErrors() : outer_(collecting) {
    static std::once_flag once;
    std::call_once(once, [] { poppler::set_debug_error_function(&receive, nullptr); });
    collecting = &list_;
  }
  ~PopplerErrors() { collecting = outer_; }
  PopplerErrors(const PopplerErrors&) = delete;
  PopplerErrors& operator=(const PopplerErrors&) = delete;
  bool any() const { return !list_.empty(); }
  /// The first complaint on one line, for a message.
  std::string first() const {
    if (list_.empty()) return "no reason given";
    std::string line = list_.front();
    if (line.rfind("poppler/error: ", 0) == 0) line.erase(0, 15);
    while (!line.empty() && (line.back() == '\n' || line.back() == ' ')) line.pop_back();
    return line;
  }

 private:
  static void receive(const std::string& message, void*) {
    constexpr size_t kEnough = 20;  // a fuzzed file complains for ever
    if (collecting && collecting->size() < kEnough) collecting->push_back(message);
  }
  std::vector<std::string> list_;
  std::vector<std::string>* outer_;
};

/// The code points of UTF-16; a lone surrogate becomes U+FFFD.
std::vector<uint32_t> code_points(const poppler::ustring& text) {
  std::vector<uint32_t> out;
  for (size_t i = 0; i < text.size(); ++i) {
    uint32_t c = text[i];
    if (c >= 0xD800 && c < 0xDC00 && i + 1 < text.size() && (text[i + 1] & 0xFC00) == 0xDC00)
      c = 0x10000 + ((c - 0xD800) << 10) + (text[++i] - 0xDC00u);
    else if (c >= 0xD800 && c < 0xE000)
      c = 0xFFFD;
    out.push_back(c);
  }
  return out;
}

/// Whether a control code is no glyph. Then it has no width, or Poppler took a glyph's width in two
/// equal parts, because the map gives that glyph two letters.
bool is_no_glyph(const poppler::text_box& box, size_t at, double size) {
  constexpr double kNoWidth = 0.1, kSame = 0.06;  // em
  const double width = box.char_bbox(int(at)).width();
  const double next = at + 1 < box.text().size() ? box.char_bbox(int(at + 1)).width() : 0;
  return width < kNoWidth * size || std::abs(next - width) < kSame * size;
}

/// The letters of a word and, where it is upright, has one glyph a letter and one font with a name
/// (subsets of one, if a letter is not known), their widths.
GlyphWord glyphs_of(const poppler::text_box& box) {
  GlyphWord word{box.has_font_info() ? box.get_font_name() : "", code_points(box.text()), {}};
  if (box.has_font_info() && word.font.empty())
    for (uint32_t& c : word.letters)
      if (const uint32_t letter = bitmap_letter(c)) c = letter;
  const double size = box.has_font_info() ? box.get_font_size() : 0;
  if (word.letters.size() != box.text().size()) return word;
  for (size_t i = 0; i + 1 < word.letters.size(); ++i)  // a glyph of its own is a hyphen
    if (word.letters[i] == kSoftHyphen && box.char_bbox(int(i)).width() > 0.1 * size)
      word.letters[i] = '-';
  for (size_t i = 0; box.has_font_info() && i < word.letters.size(); ++i)
    if (const uint32_t sign = pi_sign(box.get_font_name(int(i)), word.letters[i]))
      word.letters[i] = sign;
  for (size_t i = 0; i < word.letters.size(); ++i)
    if (is_unmapped(word.letters[i]) && is_no_glyph(box, i, size)) word.letters[i] = 0;
  if (box.rotation() != 0 || size <= 0 || is_nameless(word.font)) return word;
  const bool holed = std::count(word.letters.begin(), word.letters.end(), 0xFFFDu) > 0;
  for (size_t i = 1; i < word.letters.size(); ++i)
    if (box.get_font_name(int(i)) != word.font &&
        (!holed || plain_font_name(box.get_font_name(int(i))) != plain_font_name(word.font)))
      return word;
  for (size_t i = 0; i < word.letters.size(); ++i)
    word.widths.push_back(box.char_bbox(i).width() / size);
  return word;
}

/// Which letter's font is the word's: a bracket, quote or currency before it may be of another.
size_t first_letter(const poppler::text_box& box, const GlyphWord& word) {
  static constexpr std::u32string_view kBefore = U"([{\"'\u201C\u2018\u00AB\u20AC$\u00A3";
  // A large bracket of TeX says that a formula stands there.
  if (word.letters.size() != box.text().size() || word.font.find("CMEX") != word.font.npos)
    return 0;
  size_t at = 0;
  while (at < word.letters.size() && kBefore.find(char32_t(word.letters[at])) != kBefore.npos) ++at;
  return at < word.letters.size() ? at : 0;
}

/// Text of a word with glyphs that only their TeX font explains; 0 where it has none, else the
/// height of its tallest glyph in font sizes.
double read_tex_letters(const poppler::text_box& box, std::string& text) {
  if (!box.has_font_info()) return 0;
  const std::vector<uint32_t> letters = code_points(box.text());
  double height = 0;
  bool tex = false;
  std::vector<uint32_t> read;
  for (size_t i = 0; i < letters.size(); ++i) {
    const TexLetter glyph = tex_letter(plain_font_name(box.get_font_name(int(i))), letters[i]);
    tex |= glyph.letter != 0;
    height = std::max(height, glyph.height);
    read.push_back(glyph.letter ? glyph.letter : letters[i]);
  }
  if (!tex) return 0;
  text = clean_utf8(read);
  return height > 0 ? height : 1;
}

int degrees(poppler::page::orientation_enum orientation) {
  using poppler::page;
  return orientation == page::landscape     ? 90
         : orientation == page::upside_down ? 180
         : orientation == page::seascape    ? 270
                                            : 0;
}

bool blank(const PageImage& image) {
  for (int y = 0; y < image.height_px(); ++y) {
    const uint8_t* row = image.row(y);
    if (std::any_of(row, row + size_t(image.width_px()) * 3, [](uint8_t v) { return v != 255; }))
      return false;
  }
  return true;
}

PageImage to_page_image(const poppler::image& from, int page, double dpi) {
  PageImage image(page, from.width(), from.height(), dpi);
  for (int y = 0; y < from.height(); ++y)
    std::memcpy(image.row(y), from.const_data() + size_t(y) * from.bytes_per_row(),
                size_t(from.width()) * 3);
  return image;
}

/// The dpi at which w x h inches take `pixels` when the renderer rounds both sides up:
/// (w dpi + 1) (h dpi + 1) = pixels.
double largest_dpi(double w, double h, int64_t pixels) {
  const double sides = w + h;
  return (std::sqrt(sides * sides + 4 * w * h * (double(pixels) - 1)) - sides) / (2 * w * h);
}

class PdfReader : public DocumentReader {
 public:
  PdfReader(std::shared_ptr<const InputBytes> input, std::unique_ptr<poppler::document> document,
            std::string password)
      : input_(std::move(input)),
        document_(std::move(document)),
        password_(std::move(password)),
        largest_image_px_(largest_pdf_image(input_->bytes.view())) {
    const std::string producer = clean_utf8(code_points(document_->info_key("Producer")));
    tex_codes_ = producer.find("TeX") != producer.npos || producer.find("dvi") != producer.npos;
  }

  int page_count() const override { return document_->pages(); }

  PageInfo info(int page) const override { return info(page, *load(page)); }

  Raster raster(int page, double dpi, int64_t max_pixels) const override {
    const auto source = load(page);
    if (largest_image_px_ > kMaxImagePixels)
      fail(page, "it may draw an image of " + std::to_string(largest_image_px_ / 1'000'000) +
                     " million pixels; make it smaller, e.g. with qpdf or ocrmypdf --image-dpi");
    const PageInfo size = info(page, *source);
    Raster raster;
    const double ceiling = largest_dpi(size.width_pt / 72, size.height_pt / 72, max_pixels);
    if (dpi > ceiling) {
      dpi = ceiling;
      raster.dpi_reduced = true;
    }
    poppler::page_renderer renderer;
    renderer.set_image_format(poppler::image::format_rgb24);
    renderer.set_render_hints(poppler::page_renderer::antialiasing |
                              poppler::page_renderer::text_antialiasing);
    PopplerErrors errors;
    const poppler::image rendered = renderer.render_page(source.get(), dpi, dpi);
    if (!rendered.is_valid() || rendered.width() <= 0 || rendered.height() <= 0)
      fail(page,
           "cannot be rendered (" + errors.first() + "); repair it with qpdf or mutool clean");
    raster.image = to_page_image(rendered, page, dpi);
    if (errors.any() && blank(raster.image))
      fail(page, "is damaged and renders blank (" + errors.first() +
                     "); repair it with qpdf or mutool clean");
    return raster;
  }

  std::vector<Word> text_layer(int page, double dpi) const override {
    const double scale = dpi / 72;
    std::vector<Word> words;
    std::vector<double> glyphs;  // known heights, in font sizes
    const auto boxes = text_boxes(page);
    GlyphWidths widths;
    std::vector<GlyphWord> letters;
    for (const poppler::text_box& box : boxes) {
      letters.push_back(glyphs_of(box));
      part_lams(letters.back());
      if (!letters.back().widths.empty()) widths.learn(letters.back());
    }
    for (size_t i = 0; i < boxes.size(); ++i) {
      const poppler::text_box& box = boxes[i];
      Word word;
      const double glyph = tex_codes_ ? read_tex_letters(box, word.text) : 0;
      if (glyph == 0)
        word.text = logical_order(clean_utf8(
            letters[i].widths.empty() ? letters[i].letters : widths.repaired(letters[i])));
      const poppler::rectf r = box.bbox();
      if (!std::isfinite(r.x() + r.y() + r.width() + r.height())) continue;
      const auto px = [&](double v) { return int(std::clamp(v * scale, -1e6, 1e6)); };
      if (word.text.empty()) {  // characters without width: the blank after them counts
        if (!words.empty() && std::abs(words.back().box.x1 - px(r.left())) <= 2)
          words.back().space_after |= box.has_space_after();
        continue;
      }
      word.box = {px(r.left()), px(r.top()), px(r.right()) + 1, px(r.bottom()) + 1};
      word.space_after = box.has_space_after();
      word.quarter_turns = box.rotation() & 3;
      if (box.has_font_info()) {
        word.font_size_pt = box.get_font_size();
        word.font = plain_font_name(box.get_font_name(int(first_letter(box, letters[i]))));
        if (word.font.empty()) word.font = kNameless;
      }
      const auto& codes = letters[i].letters;
      for (size_t k = 0; k < codes.size() && codes.size() == box.text().size(); ++k)
        word.places.push_back(px(box.char_bbox(k).left()));
      Word rest;
      if (glyph == 0 && box.has_font_info() && codes.size() == box.text().size())
        rest = cut_at_dash(word, codes,
                           [&](size_t at) { return plain_font_name(box.get_font_name(int(at))); });
      words.push_back(std::move(word));
      glyphs.push_back(glyph);
      if (!rest.text.empty()) words.push_back(std::move(rest)), glyphs.push_back(0);
    }
    const std::vector<bool> watermarks = find_watermarks(words);
    clip_tall_boxes(words, glyphs, scale, tex_codes_);
    size_t at = 0;
    std::erase_if(words, [&](const Word&) { return watermarks[at++]; });
    join_strokes(words);
    join_double_prints(words);
    drop_overprints(words);
    drop_second_dashes(words);
    drop_soft_hyphens(words);
    if (objects()) mark_links(words, read_pdf_links(*objects(), page), scale);
    return words;
  }

  bool hides_text(int page) const override {
    constexpr int64_t kLeastScan = 100'000;  // pixels: a strip of a scan
    return largest_image_px_ >= kLeastScan && objects() && docspec::hides_text(*objects(), page);
  }

  PageGlyphs glyphs(int page, double dpi) const override {
    return objects() ? read_pdf_glyphs(*objects(), page, dpi, tex_codes_) : PageGlyphs();
  }

  std::vector<OutlineEntry> outline() const override {
    PopplerErrors errors;
    std::vector<OutlineEntry> entries;
    const std::unique_ptr<poppler::toc> toc(document_->create_toc());
    if (toc) collect(*toc->root(), 1, entries);
    return entries;
  }

 private:
  static void collect(const poppler::toc_item& item, int depth, std::vector<OutlineEntry>& out) {
    constexpr int kDeepest = 8;
    constexpr size_t kMost = 10'000;  // a fuzzed file's tree may be huge
    if (depth > kDeepest) return;
    for (const poppler::toc_item* child : item.children()) {
      if (out.size() >= kMost) return;
      std::string title;
      for (const uint16_t c : child->title())
        if (c >= 0x20 && (c < 0xD800 || c >= 0xE000)) append_utf8(title, c);
      out.push_back({depth, title});
      collect(*child, depth + 1, out);
    }
  }

  // Decoding holds a few bytes a pixel whatever the raster's size; this keeps a page below 1 GB.
  static constexpr int64_t kMaxImagePixels = 200'000'000;

  [[noreturn]] void fail(int page, const std::string& what) const {
    throw Error(ExitCode::input_file,
                input_->name + ": page " + std::to_string(page) + ": " + what);
  }

  const std::shared_ptr<QPDF>& objects() const {
    if (!objects_) objects_ = open_pdf_objects(input_->bytes.view(), password_);
    return *objects_;
  }

  std::vector<poppler::text_box> text_boxes(int page) const {
    constexpr auto kFonts = poppler::page::text_list_include_font;
    const auto source = load(page);
    const std::string mended = objects() ? page_for_text(*objects(), page) : "";
    PopplerErrors errors;
    if (mended.empty()) return source->text_list(kFonts);
    const std::unique_ptr<poppler::document> copy(
        poppler::document::load_from_raw_data(mended.data(), int(mended.size())));
    const std::unique_ptr<poppler::page> only(copy ? copy->create_page(0) : nullptr);
    return only ? only->text_list(kFonts) : std::vector<poppler::text_box>();
  }

  std::unique_ptr<poppler::page> load(int page) const {
    PopplerErrors errors;
    if (page < 1 || page > page_count()) fail(page, "not in the document");
    std::unique_ptr<poppler::page> loaded(document_->create_page(page - 1));
    if (!loaded) fail(page, "cannot be loaded (" + errors.first() + "); repair the file with qpdf");
    return loaded;
  }

  PageInfo info(int number, const poppler::page& page) const {
    constexpr double kLargest = 1e7;  // points: 3.5 km
    const poppler::rectf box = page.page_rect(poppler::crop_box);
    PageInfo info{std::abs(box.width()), std::abs(box.height()), degrees(page.orientation())};
    if (std::max(info.width_pt, info.height_pt) > kLargest)
      fail(number, fmt::format("a page of {:.3g} x {:.3g} points; repair its MediaBox, e.g. with "
                               "qpdf or mutool clean",
                               info.width_pt, info.height_pt));
    // An absurd size is read as the smallest page that still has a pixel.
    if (!(info.width_pt >= 1)) info.width_pt = 1;
    if (!(info.height_pt >= 1)) info.height_pt = 1;
    if (info.rotation % 180 != 0) std::swap(info.width_pt, info.height_pt);
    return info;
  }

  std::shared_ptr<const InputBytes> input_;  // Poppler looks into these bytes
  std::unique_ptr<poppler::document> document_;
  std::string password_;
  mutable std::optional<std::shared_ptr<QPDF>> objects_;  // read with the first text layer
  int64_t largest_image_px_;
  bool tex_codes_ = false;  // TeX wrote it and kept its fonts' codes; other programs number anew
};

}  // namespace

std::unique_ptr<DocumentReader> open_pdf(std::shared_ptr<const InputBytes> input,
                                         const std::string& user_password) {
  const auto fail = [&](ExitCode code, const std::string& what) -> Error {
    return Error(code, input->name + ": " + what);
  };
  if (input->bytes.size() > size_t(INT_MAX))
    throw fail(ExitCode::input_file, "larger than 2 GB; split it, e.g. with qpdf --split-pages");
  PopplerErrors errors;
  std::unique_ptr<poppler::document> document(poppler::document::load_from_raw_data(
      input->bytes.data(), int(input->bytes.size()), user_password, user_password));
  if (!document)
    throw fail(ExitCode::input_file,
               "corrupt PDF (" + errors.first() + "); repair it with qpdf or mutool clean");
  if (document->is_locked())
    throw fail(ExitCode::password, user_password.empty()
                                       ? "encrypted; pass --password"
                                       : "wrong password; pass the right --password");
  if (document->pages() < 1)
    throw fail(ExitCode::input_file, "PDF without pages" +
                                         (errors.any() ? " (" + errors.first() + ")" : "") +
                                         "; check how it was made");
  return std::make_unique<PdfReader>(std::move(input), std::move(document), user_password);
}

}  // namespace docspec
