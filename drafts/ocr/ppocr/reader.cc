#include "drafts/ocr/ppocr/reader.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "core/base/median.h"
#include "core/text/unicode.h"
#include "drafts/ocr/ppocr/ctc.h"
#include "drafts/ocr/ppocr/line_image.h"
#include "drafts/ocr/ppocr/one_thread.h"

namespace docspec::ppocr {
namespace {

int round_up(int value, int grid) {
  return (value + grid - 1) / grid * grid;
}

/// Lines side by side in memory, each with gray behind it: [n, 3, kLineHeight, width].
at::Tensor batch_of(std::span<const LineImage* const> lines, int width) {
  at::Tensor out = at::zeros({int64_t(lines.size()), 3, kLineHeight, width});
  float* to = out.data_ptr<float>();
  for (const LineImage* line : lines)
    for (int row = 0; row < 3 * kLineHeight; ++row, to += width)
      std::copy_n(line->pixels.data() + size_t(row) * line->width, line->width, to);
  return out;
}

/// Height of a text's ink in ems, as usual fonts have it: capitals and ascenders, small letters,
/// descenders; Chinese characters fill their square. `dots`: whether those of i and j are of the
/// ink; where no other letter of a line reaches up, they stand apart.
double ink_ems(const std::string& text, bool dots) {
  bool high = false, low = false;
  for (size_t at = 0; at < text.size();) {
    const uint32_t c = next_code_point(text, at);
    if (c >= 0x2E80) return 0.92;
    const auto is_one_of = [c](std::string_view set) {
      return c < 128 && set.find(char(c)) != set.npos;
    };
    low |= is_one_of("gjpqy,;()[]{}|/Q@$");
    high |= !is_one_of("acegmnopqrsuvwxyz.,:;-_~+=<>") && (dots || !is_one_of("ij"));
  }
  return (high ? 0.72 : 0.5) + (low ? 0.21 : 0);
}

/// Makes words of a line's characters.
class WordMaker {
 public:
  WordMaker(const LineImage& line, const std::vector<ReadCharacter>& characters,
            const std::vector<std::string>& names, double dpi)
      : line_(line), ink_(line), characters_(characters), names_(names), dpi_(dpi) {}

  ReadLine make() {
    double sum = 0;
    for (const ReadCharacter& c : characters_) {
      out_.text += names_[size_t(c.code)];
      sum += c.confidence;
    }
    const size_t count = characters_.size();
    if (count > 0) out_.confidence = sum / double(count);
    for (size_t from = 0; from < count;) {
      if (is_blank(from)) {
        ++from;
        continue;
      }
      size_t to = from + 1;
      while (to < count && !is_blank(to) && !far_apart(to - 1, to)) ++to;
      add(from, to);
      from = to;
    }
    set_font_size();
    return std::move(out_);
  }

 private:
  bool is_blank(size_t at) const {
    const std::string& name = names_[size_t(characters_[at].code)];
    return name == " " || name == "\u3000";
  }
  /// Pixels of the line's image.
  double middle(size_t at) const {
    return (characters_[at].first_step + characters_[at].last_step + 1) / 2.0 * kStep;
  }
  /// Pixels of the page.
  double page_x(double x) const {
    return line_.box.x + (x / line_.width - 0.5) * line_.box.width * std::cos(line_.box.angle);
  }
  /// Whether two neighbours stand in different words though no blank was read: where a rule of a
  /// table parts them, where the gap is that of two columns or like the line's blanks, or Chinese
  /// and Latin meet with a blank of a quarter em between them.
  bool far_apart(size_t left, size_t right) const {
    constexpr double kBlank = 0.13 * kLineHeight;
    if (ink_.rule_between(middle(left), middle(right))) return true;
    const uint32_t a = letter(left), b = letter(right);
    const bool mixed = is_cjk(a) != is_cjk(b) && !is_full_width_mark(a) && !is_full_width_mark(b);
    const double gap = ink_.gap_width(middle(left), middle(right));
    // The place of so small a mark as a full stop may be beside its ink.
    const double sure_gap =
        ends_part(a) ? gap : ink_.gap_width_between_ink(middle(left), middle(right));
    if (!mixed && !is_cjk(a) && sure_gap > least_gap(a, b)) return true;
    return gap > (mixed ? kBlank : kColumns);
  }
  /// The width from which a gap between two letters is a blank that was not read: over half of the
  /// line's usual blank, and far more than its letters have between them. A mark that ends a
  /// sentence brings some white, and a 1 has white beside it.
  double least_gap(uint32_t a, uint32_t b) const {
    const bool ends = ends_part(a) && !is_digit(b) && !belongs_to_last(b);
    if (!ends && (belongs_to_next(a) || belongs_to_last(b))) return kColumns;
    const double share = is_digit(a) && is_digit(b) ? 1.3 : ends ? 0.9 : 0.55;
    return std::min(kColumns, std::max(share * spacing_.blank, 3 * spacing_.letters));
  }
  /// Usual widths of a line's gaps, pixels.
  struct Spacing {
    double blank, letters;
  };
  Spacing spacing() const {
    constexpr double kWide = 0.6 * kLineHeight;  // where the line has too few blanks to tell
    std::vector<double> blanks, gaps;
    for (size_t i = 0; i + 1 < characters_.size(); ++i) {
      if (i > 0 && is_blank(i) && !is_blank(i - 1) && !is_blank(i + 1))
        blanks.push_back(ink_.gap_width(middle(i - 1), middle(i + 1)));
      else if (!is_blank(i) && !is_blank(i + 1))
        gaps.push_back(ink_.gap_width(middle(i), middle(i + 1)));
    }
    return {blanks.size() < 2 ? kWide : median(std::move(blanks)),
            gaps.size() < 2 ? kColumns : median(std::move(gaps))};
  }
  static bool is_digit(uint32_t c) { return c >= '0' && c <= '9'; }
  static bool ends_part(uint32_t c) { return is_one_of(c, ",.;:!?"); }
  static bool belongs_to_next(uint32_t c) { return is_one_of(c, "([$-./'"); }
  static bool belongs_to_last(uint32_t c) { return is_one_of(c, ",.;:!?)]%-/'"); }
  static bool is_one_of(uint32_t c, std::string_view set) {
    constexpr uint32_t kApostrophe = 0x2019;
    return c == kApostrophe || (c < 128 && set.find(char(c)) != std::string_view::npos);
  }
  /// They bring their own white.
  static bool is_full_width_mark(uint32_t c) {
    return (c >= 0x3000 && c < 0x3040) || (c >= 0xFF00 && c < 0xFFF0);
  }
  uint32_t letter(size_t at) const {
    return first_code_point(names_[size_t(characters_[at].code)]);
  }
  /// The size that a third of the letters stays below: the box of a word may hold ink of the line
  /// above or below, too.
  void set_font_size() {
    const bool dots = std::any_of(out_.words.begin(), out_.words.end(), [](const Word& word) {
      return ink_ems(word.text, false) >= 0.72;
    });
    std::vector<double> ems;
    for (const Word& word : out_.words) {
      const int height = word.quarter_turns % 2 ? word.box.width() : word.box.height();
      ems.insert(ems.end(), count_code_points(word.text), height / ink_ems(word.text, dots));
    }
    if (ems.empty()) return;
    const auto third = ems.begin() + std::ptrdiff_t(ems.size() / 3);
    std::nth_element(ems.begin(), third, ems.end());
    for (Word& word : out_.words) word.font_size_pt = *third * 72 / dpi_;
  }
  void add(size_t from, size_t to) {
    Word word;
    for (size_t i = from; i < to; ++i) {
      word.text += names_[size_t(characters_[i].code)];
      word.confidence *= characters_[i].confidence;
      word.places.push_back(int(std::lround(page_x(middle(i)))));
    }
    size_t before = from, after = to;  // the characters next to the word, past a blank
    while (before > 0 && is_blank(before - 1)) --before;
    while (after < characters_.size() && is_blank(after)) ++after;
    const double left = before == 0 ? 0 : ink_.gap_between(middle(before - 1), middle(from));
    const double right =
        after == characters_.size() ? line_.width : ink_.gap_between(middle(to - 1), middle(after));
    word.box = ink_.box_of({left, right});
    if (std::abs(line_.box.angle) > 1) word.quarter_turns = 1;
    out_.words.push_back(std::move(word));
  }

  static constexpr double kColumns = kLineHeight;  ///< the least gap between two columns

  const LineImage& line_;
  const LineInk ink_;
  const std::vector<ReadCharacter>& characters_;
  const std::vector<std::string>& names_;
  const double dpi_;
  const Spacing spacing_ = spacing();
  ReadLine out_;
};

class NetReader : public Reader {
 public:
  NetReader(const std::filesystem::path& folder, const ReaderOptions& options)
      : options_(options), nets_(folder, options.precision) {}

  std::vector<LineBox> find(const PageImage& page) const override;
  std::vector<ReadLine> read(const PageImage& page, std::span<const LineBox> boxes) const override;

 private:
  /// In an image whose longer side is `longer_px`.
  std::vector<LineBox> find(const PageImage& page, double longer_px) const;

  ReaderOptions options_;
  Nets nets_;
};

std::vector<LineBox> NetReader::find(const PageImage& page) const {
  // Of the small print of a newspaper's page only some lines are found. What they are like tells.
  constexpr size_t kFew = 8;                                  // lines
  constexpr double kSmall = 15, kGood = 22, kMostLarger = 2;  // kSmall, kGood: pixels
  const double longer = std::max(page.width_px(), page.height_px());
  std::vector<LineBox> lines = find(page, options_.page_side);
  if (lines.size() < kFew || longer <= options_.page_side) return lines;
  std::vector<double> heights;
  for (const LineBox& line : lines) heights.push_back(line.height);
  const double height = median(std::move(heights)) * options_.page_side / longer;
  if (height >= kSmall) return lines;
  return find(page, options_.page_side * std::min(kMostLarger, kGood / height));
}

std::vector<LineBox> NetReader::find(const PageImage& page, double longer_px) const {
  const OneThread one_thread;
  const double longer = std::max(page.width_px(), page.height_px());
  constexpr double kMost = 2;  // low resolutions are enlarged
  const double scale = std::min(kMost, longer_px / longer);
  const auto side = [&](int px) {
    return std::max(kDetectorGrid, int(std::lround(px * scale / kDetectorGrid)) * kDetectorGrid);
  };
  const int width = side(page.width_px()), height = side(page.height_px());
  std::vector<float> pixels = shrink_page(page, width, height);
  const at::Tensor map = nets_.text_map(at::from_blob(pixels.data(), {3, height, width}));
  std::vector<LineBox> lines = find_lines(map.data_ptr<float>(), width, height);
  const double fx = double(page.width_px()) / width, fy = double(page.height_px()) / height;
  for (LineBox& line : lines) {
    line.x *= fx, line.width *= fx;  // sides were rounded alike, up to a few parts in a hundred
    line.y *= fy, line.height *= fy;
    line.bend.thickness *= fy;
    for (LineBend::Knot& knot : line.bend.knots) knot.along *= fx, knot.across *= fy;
  }
  return lines;
}

std::vector<ReadLine> NetReader::read(const PageImage& page, std::span<const LineBox> boxes) const {
  const OneThread one_thread;
  std::vector<LineImage> lines;
  for (const LineBox& box : boxes) lines.push_back(cut_line(page, box, options_.most_width));
  const auto bucket = [&](size_t i) {
    return round_up(std::max(lines[i].width, options_.least_width), options_.bucket);
  };
  std::vector<size_t> order(lines.size());
  for (size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return bucket(a) < bucket(b); });
  std::vector<ReadLine> out(lines.size());
  for (size_t from = 0; from < order.size();) {
    const int width = bucket(order[from]);
    const size_t most = size_t(std::max(1, options_.batch_width / width));
    std::vector<const LineImage*> batch;
    size_t to = from;
    for (; to < order.size() && to - from < most && bucket(order[to]) == width; ++to)
      batch.push_back(&lines[order[to]]);
    const std::vector<StepChoice> choices = nets_.best_classes(batch_of(batch, width));
    const size_t steps = choices.size() / batch.size();
    for (size_t i = from; i < to; ++i) {
      const auto read = decode_ctc(std::span(choices).subspan((i - from) * steps, steps));
      out[order[i]] = WordMaker(lines[order[i]], read, nets_.characters(), page.dpi()).make();
      out[order[i]].box = boxes[order[i]];
    }
    from = to;
  }
  return out;
}

}  // namespace

std::unique_ptr<Reader> make_reader(const std::filesystem::path& folder,
                                    const ReaderOptions& options) {
  const OneThread one_thread;  // libtorch's teams wait for work that never comes
  return std::make_unique<NetReader>(folder, options);
}

}  // namespace docspec::ppocr
