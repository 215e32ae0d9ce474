#include "drafts/ocr/ppocr/line_image.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "drafts/ocr/ppocr/line_edges.h"
#include "drafts/ocr/ppocr/nets.h"

namespace docspec::ppocr {
namespace {

/// The two pixels of a row or column that a place lies between, and its share of the second; the
/// edge goes on outside.
struct PixelPair {
  int first, second;
  float share;

  PixelPair(double place, int count) {
    place = std::clamp(place, 0.0, double(count - 1));
    first = int(place);
    second = std::min(first + 1, count - 1);
    share = float(place - first);
  }
};

/// One sample of all three channels at a place between pixels.
void sample(const PageImage& page, const PixelPair& x, const PixelPair& y, float* out,
            size_t channel) {
  const uint8_t *top = page.row(y.first), *bottom = page.row(y.second);
  for (int c = 0; c < 3; ++c) {
    const float above =
        float(top[x.first * 3 + c]) * (1 - x.share) + float(top[x.second * 3 + c]) * x.share;
    const float below =
        float(bottom[x.first * 3 + c]) * (1 - x.share) + float(bottom[x.second * 3 + c]) * x.share;
    out[size_t(2 - c) * channel] = (above * (1 - y.share) + below * y.share) / 127.5f - 1;
  }
}
void sample(const PageImage& page, double x, double y, float* out, size_t channel) {
  sample(page, {x, page.width_px()}, {y, page.height_px()}, out, channel);
}

/// Samples at the places of columns and rows: [3, rows, columns].
std::vector<float> sample_grid(const PageImage& page, const std::vector<PixelPair>& columns,
                               const std::vector<PixelPair>& rows) {
  const size_t width = columns.size(), channel = rows.size() * width;
  std::vector<float> out(3 * channel);
  for (size_t j = 0; j < rows.size(); ++j)
    for (size_t i = 0; i < width; ++i)
      sample(page, columns[i], rows[j], out.data() + j * width + i, channel);
  return out;
}

struct PagePoint {
  double x = 0, y = 0;
};

PagePoint between(PagePoint a, PagePoint b, double share) {
  return {a.x + (b.x - a.x) * share, a.y + (b.y - a.y) * share};
}

/// A box with its corners on corners of pixels: the rows of a level line are rows of the page, not
/// blends of two. [rapidocr] rounds them, too.
class WholeBox {
 public:
  explicit WholeBox(const LineBox& box) {
    const double c = std::cos(box.angle), s = std::sin(box.angle);
    const auto corner = [&](double i, double j) {
      const double u = i * box.width, v = j * box.height;
      return PagePoint{std::round(box.x + u * c - v * s), std::round(box.y + u * s + v * c)};
    };
    left_top_ = corner(-0.5, -0.5), right_top_ = corner(0.5, -0.5);
    left_bottom_ = corner(-0.5, 0.5), right_bottom_ = corner(0.5, 0.5);
  }
  /// Of a line's image, kLineHeight high.
  int width() const {
    const double across = std::max(1.0, std::floor(distance(left_top_, right_top_)));
    const double down = std::max(1.0, std::floor(distance(left_top_, left_bottom_)));
    return int(std::ceil(kLineHeight * across / down));
  }
  /// [3, rows, width], level; kLineHeight of the rows are the box's, the others are as many above
  /// and below.
  std::vector<float> cut(const PageImage& page, int width, int rows) const {
    const auto down_to = [&](int j) { return (j + 0.5 - (rows - kLineHeight) / 2) / kLineHeight; };
    if (is_level()) {
      std::vector<PixelPair> across, down;
      for (int i = 0; i < width; ++i)
        across.emplace_back(between(left_top_, right_top_, (i + 0.5) / width).x - 0.5,
                            page.width_px());
      for (int j = 0; j < rows; ++j)
        down.emplace_back(between(left_top_, left_bottom_, down_to(j)).y - 0.5, page.height_px());
      return sample_grid(page, across, down);
    }
    const size_t channel = size_t(rows) * size_t(width);
    std::vector<float> pixels(3 * channel);
    for (int j = 0; j < rows; ++j) {
      const PagePoint left = between(left_top_, left_bottom_, down_to(j));
      const PagePoint right = between(right_top_, right_bottom_, down_to(j));
      for (int i = 0; i < width; ++i) {
        const PagePoint at = between(left, right, (i + 0.5) / width);
        sample(page, at.x - 0.5, at.y - 0.5, pixels.data() + size_t(j) * size_t(width) + i,
               channel);
      }
    }
    return pixels;
  }

 private:
  /// Whether columns and rows of the line's image are those of the page.
  bool is_level() const {
    return left_top_.x == left_bottom_.x && right_top_.x == right_bottom_.x &&
           left_top_.y == right_top_.y && left_bottom_.y == right_bottom_.y;
  }
  static double distance(PagePoint a, PagePoint b) { return std::hypot(a.x - b.x, a.y - b.y); }

  PagePoint left_top_, right_top_, left_bottom_, right_bottom_;
};

/// A place of a line: `along` from the middle of its box, `across` from the line's own middle.
PagePoint place_in(const LineBox& box, double along, double across) {
  const double c = std::cos(box.angle), s = std::sin(box.angle);
  across += box.bend.across_at(along);
  return {box.x + along * c - across * s, box.y + along * s + across * c};
}

/// The same as WholeBox::cut for a line on bent paper, which is set straight.
std::vector<float> cut_bent(const PageImage& page, const LineBox& box, int width, int rows) {
  const size_t channel = size_t(rows) * size_t(width);
  std::vector<float> pixels(3 * channel);
  for (int i = 0; i < width; ++i) {
    const double along = ((i + 0.5) / width - 0.5) * box.width;
    for (int j = 0; j < rows; ++j) {
      const double down = (j + 0.5 - rows / 2.0) / kLineHeight;
      const PagePoint at = place_in(box, along, down * box.bend.thickness);
      sample(page, at.x - 0.5, at.y - 0.5, pixels.data() + size_t(j) * size_t(width) + i, channel);
    }
  }
  return pixels;
}

}  // namespace

LineImage cut_line(const PageImage& page, LineBox box, int most_width) {
  constexpr double kUpright = 1.5;  // [rapidocr]
  if (box.height >= kUpright * box.width) {
    std::swap(box.width, box.height);
    box.angle += std::numbers::pi / 2;
  }
  LineImage line;
  line.box = box;
  const WholeBox whole(box);
  const bool bent = is_bent(box);
  line.width =
      std::clamp(bent ? int(std::ceil(kLineHeight * box.width / thickness_of(box))) : whole.width(),
                 1, most_width);
  const int rows = kLineHeight + 2 * kBeyond;
  std::vector<float> pixels =
      bent ? cut_bent(page, box, line.width, rows) : whole.cut(page, line.width, rows);
  // At the page's edge the sample goes on with what is there.
  const double near = std::min({box.x, box.y, page.width_px() - box.x, page.height_px() - box.y});
  if (near >= box.height / 2 * rows / kLineHeight) erase_neighbours(pixels, line.width);
  for (int c = 0; c < 3; ++c) {
    const auto first = pixels.begin() + std::ptrdiff_t(c * rows + kBeyond) * line.width;
    line.pixels.insert(line.pixels.end(), first, first + kLineHeight * line.width);
  }
  return line;
}

namespace {

/// Erases rules and frames around words: runs of ink that are longer than any stroke of a letter, a
/// line's height and a quarter from left to right, nine tenths of it downwards. Returns the columns
/// that had such a run.
std::vector<bool> erase_rules(std::vector<unsigned char>& ink, int width) {
  const std::vector<unsigned char> before = ink;
  const auto erase_runs = [&](int lines, int length, int line_step, int step, int least) {
    std::vector<bool> erased(size_t(lines), false);
    for (int line = 0; line < lines; ++line)
      for (int begin = 0, i = 0; i <= length; ++i) {
        const size_t start = size_t(line) * size_t(line_step);
        if (i < length && before[start + size_t(i) * size_t(step)]) continue;
        if (i - begin >= least) {
          for (int k = begin; k < i; ++k) ink[start + size_t(k) * size_t(step)] = 0;
          erased[size_t(line)] = true;
        }
        begin = i + 1;
      }
    return erased;
  };
  erase_runs(kLineHeight, width, width, 1, kLineHeight * 5 / 4);
  return erase_runs(width, kLineHeight, 1, width, kLineHeight * 9 / 10);
}

}  // namespace

LineInk::LineInk(const LineImage& line) : line_(line), bottom_(kLineHeight) {
  const size_t size = size_t(kLineHeight) * line.width;
  ink_ = ink_of(line.pixels, line.width);
  rules_ = erase_rules(ink_, line.width);
  std::array<int, kLineHeight> rows{};
  for (size_t i = 0; i < size; ++i) rows[i / size_t(line.width)] += ink_[i];
  // From the fullest row of the middle half outwards, to where two rows are next to empty.
  const auto fullest =
      std::max_element(rows.begin() + kLineHeight / 4, rows.end() - kLineHeight / 4);
  const int least = std::max(2, line.width / 1000);  // the foot of one letter is a row's own
  const auto empty = [&](int row) {
    return row < 0 || row >= kLineHeight || rows[size_t(row)] < least;
  };
  top_ = bottom_ = int(fullest - rows.begin());
  while (top_ > 0 && !(empty(top_ - 1) && empty(top_ - 2))) --top_;
  while (bottom_ < kLineHeight && !(empty(bottom_) && empty(bottom_ + 1))) ++bottom_;
}

std::pair<int, int> LineInk::widest_gap(double x0, double x1) const {
  const int from = std::clamp(int(x0), 0, line_.width), to = std::clamp(int(x1), from, line_.width);
  std::pair<int, int> best = {0, 0};
  for (int x = from, begin = from; x <= to; ++x) {
    bool ink = x == to;
    for (int y = top_; y < bottom_ && !ink; ++y) ink = ink_[size_t(y) * line_.width + x];
    if (!ink) continue;
    if (x - begin > best.second - best.first) best = {begin, x};
    begin = x + 1;
  }
  return best;
}

double LineInk::gap_between(double x0, double x1) const {
  const auto [from, to] = widest_gap(x0, x1);
  return to > from ? (from + to) / 2.0 : (x0 + x1) / 2;
}

double LineInk::gap_width(double x0, double x1) const {
  const auto [from, to] = widest_gap(x0, x1);
  return to - from;
}

double LineInk::gap_width_between_ink(double x0, double x1) const {
  const auto [from, to] = widest_gap(x0, x1);
  return from > int(x0) && to < int(x1) ? to - from : 0;
}

bool LineInk::rule_between(double x0, double x1) const {
  const int from = std::clamp(int(x0), 0, line_.width), to = std::clamp(int(x1), from, line_.width);
  const auto rule = std::find(rules_.begin() + from, rules_.begin() + to, true) - rules_.begin();
  constexpr int kThick = 8;  // a sixth of the line's height: thicker is a picture or a dark cell
  return rule > from && rule < to &&
         std::find(rules_.begin() + rule, rules_.begin() + to, false) - rules_.begin() <
             std::min(to, int(rule) + kThick);
}

Box LineInk::box_of(Span part) const {
  const int from = std::clamp(int(part.x0), 0, line_.width);
  const int to = std::clamp(int(std::ceil(part.x1)), from, line_.width);
  int left = to, right = from, top = bottom_, bottom = top_;
  for (int y = top_; y < bottom_; ++y)
    for (int x = from; x < to; ++x) {
      if (!ink_[size_t(y) * line_.width + x]) continue;
      left = std::min(left, x), right = std::max(right, x + 1);
      top = std::min(top, y), bottom = y + 1;
    }
  if (left >= right) left = from, right = to, top = top_, bottom = bottom_;
  const LineBox& box = line_.box;
  double x0 = 1e9, y0 = 1e9, x1 = -1e9, y1 = -1e9;
  for (const int i : {left, right})
    for (const int j : {top, bottom}) {
      const double u = (double(i) / line_.width - 0.5) * box.width;
      const double v = (double(j) / kLineHeight - 0.5) * thickness_of(box);
      const auto [x, y] = place_in(box, u, v);
      x0 = std::min(x0, x), x1 = std::max(x1, x);
      y0 = std::min(y0, y), y1 = std::max(y1, y);
    }
  return {int(std::lround(x0)), int(std::lround(y0)), int(std::lround(x1)), int(std::lround(y1))};
}

std::vector<float> shrink_page(const PageImage& page, int width, int height) {
  std::vector<PixelPair> columns, rows;
  for (int x = 0; x < width; ++x)
    columns.emplace_back((x + 0.5) * page.width_px() / width - 0.5, page.width_px());
  for (int y = 0; y < height; ++y)
    rows.emplace_back((y + 0.5) * page.height_px() / height - 0.5, page.height_px());
  return sample_grid(page, columns, rows);
}

}  // namespace docspec::ppocr
