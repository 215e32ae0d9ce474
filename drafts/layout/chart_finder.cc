#include "drafts/layout/chart_finder.h"

#include <algorithm>
#include <cctype>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <string>

#include "core/page/ink_map.h"
#include "drafts/grid/ruled_table.h"
#include "drafts/grid/ruling_lines.h"
#include "drafts/layout/drawing_finder.h"
#include "drafts/layout/drawn_tables.h"
#include "drafts/layout/text_openings.h"
#include "drafts/lines/font_style.h"
#include "drafts/lines/text_lines.h"

namespace docspec {
namespace {

constexpr size_t kLeastTicks = 3;

/// A number that may stand on a scale.
struct Tick {
  double value = 0;
  Box box;
  double em = 0;  ///< how high it is
};

/// Numbers in equal steps.
struct Scale {
  std::vector<Box> numbers;
  Box box;
  double em = 0;  ///< height of its numbers
};

double middle_x(const Box& box) {
  return (box.x0 + box.x1) / 2.0;
}
double middle_y(const Box& box) {
  return (box.y0 + box.y1) / 2.0;
}

std::optional<double> number_of(std::string text) {
  for (const std::string_view sign : {"$", "€", "£", "¥"})
    if (text.starts_with(sign)) text.erase(0, sign.size());
  for (size_t at = text.find(','); at != text.npos && at > 0; at = text.find(',', at))
    if (text.size() - at == 4 ||
        (text.size() > at + 4 && text.find_first_of(",.", at + 1) == at + 4))
      text.erase(at, 1);  // of thousands
    else
      break;
  if (text.starts_with("−")) text = "-" + text.substr(3);
  while (text.ends_with('%')) text.pop_back();
  if (text.empty() || text.ends_with('.') || text.find_first_not_of("0123456789.-+") != text.npos)
    return std::nullopt;
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return *end == 0 ? std::optional(value) : std::nullopt;
}

/// Whether a step is one that people divide a scale by: two digits, or quarters.
bool is_round(double step) {
  if (step == 0) return false;
  const double digits = std::abs(step) / std::pow(10, std::floor(std::log10(std::abs(step))));
  const auto whole = [](double value) { return std::abs(value - std::round(value)) < 0.02; };
  return whole(digits * 10) || whole(digits * 4);
}

/// Runs of equal steps, in value and in place, among ticks that are sorted by `place`.
std::vector<Scale> equal_steps(const std::vector<Tick>& ticks, const auto& place) {
  const auto equal = [](double step, double first, double rough = 0) {
    return std::abs(step - first) <= std::max(rough, 0.1 * std::abs(first));
  };
  std::vector<Scale> scales;
  for (size_t begin = 0; begin + kLeastTicks <= ticks.size();) {
    const auto value_step = [&](size_t i) { return ticks[i + 1].value - ticks[i].value; };
    const auto place_step = [&](size_t i) { return place(ticks[i + 1].box) - place(ticks[i].box); };
    // The boxes of OCR's words are not that exact.
    const auto rough = [&](size_t i) {
      return 0.3 * std::min(ticks[i].box.width(), ticks[i].box.height());
    };
    size_t last = begin + 1;
    while (is_round(value_step(begin)) && last + 1 < ticks.size() &&
           equal(value_step(last), value_step(begin)) &&
           equal(place_step(last), place_step(begin), rough(begin)))
      ++last;
    const size_t count = last + 1 - begin;
    if (count < kLeastTicks) {
      ++begin;
      continue;
    }
    Scale scale;
    for (size_t i = begin; i <= last; ++i) {
      scale.numbers.push_back(ticks[i].box);
      scale.box = unite(scale.box, ticks[i].box);
      scale.em = std::max(scale.em, ticks[i].em);
    }
    scales.push_back(scale);
    begin = last;  // a panel below may begin with the number that ends this one
  }
  return scales;
}

/// Scales among `ticks` whose numbers have one `side` and follow each other by `place`.
std::vector<Scale> scales_along(std::vector<Tick> ticks, const auto& side, const auto& place) {
  std::sort(ticks.begin(), ticks.end(),
            [&](const Tick& a, const Tick& b) { return side(a.box) < side(b.box); });
  std::vector<Scale> scales;
  for (size_t begin = 0, end = 0; begin < ticks.size(); begin = end) {
    const double reach =
        std::max(3.0, std::min(ticks[begin].box.width(), ticks[begin].box.height()) / 4.0);
    while (end < ticks.size() && side(ticks[end].box) - side(ticks[begin].box) <= reach) ++end;
    std::vector<Tick> column(ticks.begin() + std::ptrdiff_t(begin),
                             ticks.begin() + std::ptrdiff_t(end));
    std::sort(column.begin(), column.end(),
              [&](const Tick& a, const Tick& b) { return place(a.box) < place(b.box); });
    const auto found = equal_steps(column, place);
    scales.insert(scales.end(), found.begin(), found.end());
  }
  return scales;
}

std::vector<Scale> scales_down(const std::vector<Tick>& ticks) {
  std::vector<Scale> scales = scales_along(
      ticks, [](const Box& b) { return b.x1; }, middle_y);
  for (const auto& more : {scales_along(
                               ticks, [](const Box& b) { return b.x0; }, middle_y),
                           scales_along(ticks, middle_x, middle_y)})
    scales.insert(scales.end(), more.begin(), more.end());
  return scales;
}

/// Whether a scale stands at the left or right of a piece of ink.
bool measures(const Scale& scale, const Box& ink) {
  constexpr double kReach = 3;
  const double em = scale.em;
  const double left = ink.x0 - scale.box.x1, right = scale.box.x0 - ink.x1;
  const bool beside = (left > -em && left < kReach * em && scale.box.x0 < ink.x0) ||
                      (right > -em && right < kReach * em && scale.box.x1 > ink.x1);
  constexpr double kAbove = 2.5;  // the highest bar may end below the last number
  return beside && scale.box.y0 >= ink.y0 - kAbove * em && scale.box.y1 <= ink.y1 + em;
}

/// How far a scale stands from the left or right of a piece of ink.
double distance(const Scale& scale, const Box& ink) {
  return std::min(std::abs(ink.x0 - scale.box.x1), std::abs(scale.box.x0 - ink.x1));
}

class ChartFinder {
 public:
  explicit ChartFinder(const PageInput& page) : page_(page) {
    for (const Word& word : page.words)
      if (const auto value = number_of(word.text))
        ticks_.push_back({*value, word.box,
                          double(word.quarter_turns % 2 ? word.box.width() : word.box.height())});
  }

  std::vector<Box> find() const {
    const std::vector<Scale> down = scales_down(ticks_);
    if (down.empty() || !page_.image || page_.image->empty()) return {};
    const std::vector<Scale> across = scales_along(ticks_, middle_y, middle_x);
    std::optional<std::vector<RuledTable>> tables;  // looked for where something may be a chart
    std::vector<Box> charts;
    const std::vector<Box> inks = pieces_of_ink();
    const auto is_nearer = [&](const Scale& scale, const Box& ink) {  // to another chart
      return std::any_of(inks.begin(), inks.end(), [&](const Box& other) {
        return intersect(other, ink).empty() && measures(scale, other) &&
               distance(scale, other) < distance(scale, ink);
      });
    };
    for (const Box& ink : inks) {
      constexpr double kLeastShare = 0.4;  // of its height
      Box scales;
      double em = 0;
      std::optional<bool> free;  // asked where something may be rows of a table
      const auto is_drawn = [&] {
        if (!free) free = is_drawn_freely(ink);
        return *free;
      };
      for (const Scale& scale : down)
        if (measures(scale, ink) && !is_nearer(scale, ink) &&
            ((!numbers_rows(scale, ink, down) && !ends_lines(scale)) || is_drawn())) {
          scales = unite(scales, scale.box);
          em = std::max(em, scale.em);
        }
      if (scales.height() < kLeastShare * ink.height() || covered_by_text(ink)) continue;
      if (!tables) tables = find_worded_tables(page_, down.front().em);
      if (is_of_table(ink, *tables) && !is_drawn()) continue;
      Box chart = unite(ink, scales);
      for (const Scale& scale : across)
        if (intersect(scale.box, {ink.x0, ink.y1 - int(em), ink.x1, ink.y1 + int(3 * em)}).area() *
                2 >
            scale.box.area())
          chart = unite(chart, scale.box);
      charts.push_back(with_names(chart, em));
    }
    return charts;
  }

 private:
  /// Whether curves and marks are drawn there, as a table has none.
  bool is_drawn_freely(const Box& ink) const {
    return are_rendered(page_.words) && is_freely_drawn(page_, ink, find_rules(page_));
  }

  std::vector<Box> pieces_of_ink() const {
    InkMap ink(*page_.image, double(page_.width_px) / page_.image->width_px());
    std::vector<Box> text, all, large;
    for (const Word& word : page_.words) text.push_back(word.box);
    ink.erase(text);
    for (const InkMap::Piece& piece : ink.pieces()) all.push_back(piece.box);
    for (const Box& bars : rows_of_bars(all)) all.push_back(bars);
    const double least = 45 * page_.dpi / 72;
    for (const Box& box : all)
      if (std::min(box.width(), box.height()) >= least) large.push_back(box);
    return large;
  }

  /// What stands side by side on one line, as bars do whose axis is too pale to join them.
  std::vector<Box> rows_of_bars(std::vector<Box> pieces) const {
    constexpr size_t kLeastPieces = 3;
    const double level = 0.05 * page_.dpi, apart = 0.22 * page_.dpi;
    std::erase_if(pieces, [&](const Box& piece) { return piece.height() < 2 * level; });
    std::sort(pieces.begin(), pieces.end(), [](const Box& a, const Box& b) { return a.x0 < b.x0; });
    std::vector<Box> rows;
    std::vector<size_t> counts;
    for (const Box& piece : pieces) {
      size_t r = 0;
      while (r < rows.size() && (std::abs(rows[r].y1 - piece.y1) > level ||
                                 piece.x0 - rows[r].x1 > apart || piece.x0 < rows[r].x1))
        ++r;
      if (r == rows.size()) rows.emplace_back(), counts.push_back(0);
      rows[r] = unite(rows[r], piece);
      ++counts[r];
    }
    std::vector<Box> found;
    for (size_t r = 0; r < rows.size(); ++r)
      if (counts[r] >= kLeastPieces) found.push_back(rows[r]);
    return found;
  }

  /// Whether next to most numbers of a scale stand words on the ink or right of it that are on no
  /// scale, or right before it where the numbers come last: rows of a table, or lines of code in a
  /// frame.
  bool numbers_rows(const Scale& scale, const Box& ink, const std::vector<Scale>& scales) const {
    const auto on_scale = [&](const Box& box) {
      return std::any_of(scales.begin(), scales.end(),
                         [&](const Scale& other) { return !intersect(box, other.box).empty(); });
    };
    const double reach = 3 * scale.em;
    const double first = scale.box.x0 > ink.x0 ? ink.x0 - reach : ink.x0;
    const auto is_row = [&](const Box& number) {
      return std::any_of(page_.words.begin(), page_.words.end(), [&](const Word& word) {
        const double x = middle_x(word.box);
        return x > first && x < ink.x1 + reach && row_overlap(word.box, number) > 0.5 &&
               !on_scale(word.box);
      });
    };
    const auto rows = std::count_if(scale.numbers.begin(), scale.numbers.end(), is_row);
    return size_t(rows) * 5 > scale.numbers.size() * 3;
  }

  /// Whether the numbers stand behind lines of text that begin with them, in the boxes of a form:
  /// "6 Total tax ..... 6".
  bool ends_lines(const Scale& scale) const {
    const auto ends_line = [&](const Box& number) {
      const auto own = std::find_if(ticks_.begin(), ticks_.end(),
                                    [&](const Tick& tick) { return tick.box == number; });
      const auto begins = [&](const Tick& tick) {
        return tick.value == own->value && tick.box.x1 < number.x0 &&
               row_overlap(tick.box, number) > 0.5;
      };
      const auto first = std::find_if(ticks_.begin(), ticks_.end(), begins);
      return first != ticks_.end() &&
             std::any_of(page_.words.begin(), page_.words.end(), [&](const Word& word) {
               return word.box.x0 > first->box.x1 && word.box.x1 < number.x0 &&
                      row_overlap(word.box, number) > 0.5 &&
                      std::isalpha(uint8_t(word.text[0])) != 0;
             });
    };
    return std::all_of(scale.numbers.begin(), scale.numbers.end(), ends_line);
  }

  /// Whether words take much of the room, or are as many as in running text: the lines of a page
  /// in a frame may be numbered.
  bool covered_by_text(const Box& box) const {
    constexpr double kMost = 0.25;
    constexpr size_t kMostWords = 60;  // of three letters and more
    double area = 0;
    size_t words = 0;
    for (const Word& word : page_.words) {
      const Box shared = intersect(word.box, box);
      area += double(shared.area());
      words += !shared.empty() && std::count_if(word.text.begin(), word.text.end(), [](char c) {
                                    return std::isalpha(uint8_t(c)) != 0;
                                  }) >= 3;
    }
    return area > kMost * double(box.area()) || words > kMostWords;
  }

  /// With the names along its lower edge, of its axes and its own: short rows right below and above
  /// its middle, and text on its side.
  Box with_names(Box chart, double em) const {
    for (const Word& word : page_.words) {
      if (word.quarter_turns % 2 == 0) continue;
      const Box& box = word.box;
      const bool beside = box.y0 >= chart.y0 - em && box.y1 <= chart.y1 + em &&
                          box.x1 > chart.x0 - 2.5 * em && box.x0 < chart.x1 + 2.5 * em;
      const bool below = box.x0 >= chart.x0 && box.x1 <= chart.x1 && box.y0 > chart.y1 - em &&
                         box.y0 < chart.y1 + 2 * em;
      if (beside || below) chart = unite(chart, box);
    }
    chart = unite(unite(chart, row_apart(chart, em)), name_beside(chart, em));
    return unite(unite(chart, name_in(chart, chart.y0 - int(1.6 * em), chart.y0)),
                 name_in(chart, chart.y1, chart.y1 + int(2.2 * em)));
  }

  /// The name of an axis, a letter or two, that stands upright in the middle of the left side.
  Box name_beside(const Box& chart, double em) const {
    constexpr size_t kMostLetters = 6;
    const double middle = middle_y(chart), high = 0.15 * chart.height();
    Box name;
    size_t letters = 0;
    for (const Word& word : page_.words) {
      const double x = middle_x(word.box);
      if (x < chart.x0 - 3 * em || x > chart.x0 || std::abs(middle_y(word.box) - middle) > high)
        continue;
      name = unite(name, word.box);
      letters += word.text.size();
    }
    return letters <= kMostLetters && name.height() < 2 * em ? name : Box();
  }

  /// The row right below a chart, along most of it, whose words stand too far apart for text.
  Box row_apart(const Box& chart, double em) const {
    constexpr size_t kLeastWords = 3;
    std::vector<Box> row;
    int top = INT_MAX;
    for (const Word& word : page_.words)
      if (middle_y(word.box) > chart.y1 && middle_y(word.box) < chart.y1 + 2 * em &&
          middle_x(word.box) > chart.x0 - em && middle_x(word.box) < chart.x1 + em)
        top = std::min(top, word.box.y0);
    Box all;
    double width = 0;
    for (const Word& word : page_.words) {
      if (std::abs(word.box.y0 - top) > 0.4 * em || word.box.x1 < chart.x0 - em ||
          word.box.x0 > chart.x1 + em)
        continue;
      row.push_back(word.box);
      all = unite(all, word.box);
      width += word.box.width();
    }
    const bool apart = row.size() >= kLeastWords &&
                       all.width() - width > 0.8 * em * double(row.size() - 1) &&
                       all.x0 >= chart.x0 - em && all.x1 <= chart.x1 + em;
    return apart && all.width() * 2 > chart.width() ? all : Box();
  }

  /// The row of at most six words between `y0` and `y1` that stands in the middle of a chart.
  Box name_in(const Box& chart, int y0, int y1) const {
    constexpr size_t kMostWords = 6;
    Box row;
    std::string text;
    size_t words = 0;
    for (const Word& word : page_.words) {
      if (middle_y(word.box) < y0 || middle_y(word.box) > y1 || word.box.x1 < chart.x0 ||
          word.box.x0 > chart.x1)
        continue;
      row = unite(row, word.box);
      text += (text.empty() ? "" : " ") + word.text;
      ++words;
    }
    const bool in_the_middle = std::abs(middle_x(row) - middle_x(chart)) < 0.15 * chart.width() &&
                               row.width() < 0.8 * chart.width();
    return words > 0 && words <= kMostWords && in_the_middle && !opens_caption(text) ? row : Box();
  }

  const PageInput& page_;
  std::vector<Tick> ticks_;
};

}  // namespace

std::vector<Box> find_charts(const PageInput& page) {
  return ChartFinder(page).find();
}

}  // namespace docspec
