#include "tests/support/sheet.h"

#include <fmt/format.h>

#include <sstream>

#include "core/text/unicode.h"
#include "tests/support/font_widths.h"

namespace docspec::test {
namespace {

/// The code of a letter in WinAnsi.
char code_of(uint32_t letter) {
  switch (letter) {
    case 0x2018:
      return '\221';
    case 0x2019:
      return '\222';
    case 0x201C:
      return '\223';
    case 0x201D:
      return '\224';
    case 0x2022:
      return '\225';
    case 0x2013:
      return '\226';
    case 0x2014:
      return '\227';
    default:
      return char(letter);
  }
}

/// The digit that a raised (1) or lowered (-1) one is.
std::pair<char, int> digit_of(uint32_t letter) {
  if (letter == 0xB9) return {'1', 1};
  if (letter == 0xB2 || letter == 0xB3) return {char('0' + letter - 0xB0), 1};
  if (letter >= 0x2074 && letter <= 0x2079) return {char('0' + letter - 0x2070), 1};
  if (letter >= 0x2080 && letter <= 0x2089) return {char('0' + letter - 0x2080), -1};
  return {0, 0};
}

std::string escaped(const std::string& letters) {
  std::string out;
  for (const char c : letters) {
    if (c == '(' || c == ')' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

Column Sheet::column(int index, int count, double y, double gap) const {
  const double width = (look.width - 2 * look.margin - gap * (count - 1)) / count;
  return {look.margin + index * (width + gap), width, y};
}

std::vector<Sheet::Pieces> Sheet::words_of(const std::string& text, const Style& style) const {
  std::vector<Pieces> words(1);
  bool bold = style.bold, slanted = false;
  const double size = style.size > 0 ? style.size : look.size;
  const auto font = [&]() -> std::string {
    if (!style.font.empty()) return style.font;
    if (slanted) return look.serif ? "F6" : "F7";
    return look.serif ? bold ? "F5" : "F4" : bold ? "F2" : "F1";
  };
  const auto add = [&](char letter, double raise, double of) {
    Pieces& word = words.back();
    if (word.empty() || word.back().font != font() || word.back().raise != raise)
      word.push_back({"", font(), of, raise});
    word.back().letters += letter;
  };
  for (size_t at = 0; at < text.size();) {
    const uint32_t letter = next_code_point(text, at);
    if (const auto [digit, side] = digit_of(letter); digit) {
      add(digit, side > 0 ? 0.36 * size : -0.16 * size, 0.66 * size);
    } else if (letter == '*' && at < text.size() && text[at] == '*') {
      ++at;
      bold = !bold;
    } else if (letter == '*') {
      slanted = !slanted;
    } else if (letter == ' ') {
      words.emplace_back();
    } else {
      add(code_of(letter), 0, size);
    }
  }
  return words;
}

double Sheet::width_of(const Pieces& word) const {
  double width = 0;
  for (const Run& run : word) width += text_width(run.letters, run.font, run.size);
  return width;
}

double Sheet::blank_of(const Style& style) const {
  const std::string font = style.font.empty() ? look.serif ? "F4" : "F1" : style.font;
  return text_width(" ", font, style.size > 0 ? style.size : look.size);
}

double Sheet::width_of(const std::string& text, const Style& style) const {
  const auto words = words_of(text, style);
  double width = blank_of(style) * double(words.size() - 1);
  for (const Pieces& word : words) width += width_of(word);
  return width;
}

void Sheet::put_word(double x, double y, const Pieces& word) {
  for (const Run& run : word) {
    content += fmt::format("BT /{} {:.2f} Tf {:.2f} {:.2f} Td ({}) Tj ET\n", run.font, run.size, x,
                           y + run.raise, escaped(run.letters));
    x += text_width(run.letters, run.font, run.size);
  }
}

void Sheet::put_words(double x, double y, const std::vector<Pieces>& words, double blank) {
  if (look.justified) {
    for (const Pieces& word : words) {
      put_word(x, y, word);
      x += width_of(word) + blank;
    }
    return;
  }
  Pieces line;  // words of one font are one string, their blanks in it
  for (const Pieces& word : words) {
    if (!line.empty()) line.back().letters += ' ';
    for (const Run& run : word)
      if (!line.empty() && line.back().font == run.font && line.back().raise == run.raise)
        line.back().letters += run.letters;
      else
        line.push_back(run);
  }
  put_word(x, y, line);
}

void Sheet::put(double x, double y, const std::string& text, const Style& style) {
  put_words(x, y, words_of(text, style), blank_of(style));
}

void Sheet::put_centered(double x, double y, const std::string& text, const Style& style) {
  put(x - width_of(text, style) / 2, y, text, style);
}

void Sheet::put_right(double x, double y, const std::string& text, const Style& style) {
  put(x - width_of(text, style), y, text, style);
}

void Sheet::set(Column& at, const std::string& text, const Style& style) {
  std::vector<Pieces> line;
  double taken = 0;
  const double blank = blank_of(style);
  const auto end_line = [&](bool last) {
    const double gaps = double(line.size()) - 1;
    const bool fills = look.justified && !last && gaps > 0;
    put_words(at.x, at.y, line, blank + (fills ? (at.width - taken) / gaps : 0));
    at.y -= leading(style.size);
    line.clear();
    taken = 0;
  };
  for (Pieces& word : words_of(text, style)) {
    const double width = width_of(word);
    if (!line.empty() && taken + blank + width > at.width) end_line(false);
    taken += (line.empty() ? 0 : blank) + width;
    line.push_back(std::move(word));
  }
  end_line(true);
}

void Sheet::paragraph(Column& at, const std::string& text) {
  set(at, text);
  at.y -= 0.6 * look.size;
  say(text);
}

void Sheet::heading(Column& at, const std::string& marks, const std::string& text,
                    const Style& style) {
  at.y -= 0.6 * look.size;
  set(at, text, style);
  at.y -= 0.5 * look.size;
  say(marks + " " + text);
}

void Sheet::rule(double x0, double x1, double y, double width) {
  content += fmt::format("{} w {} {} m {} {} l S\n", width, x0, y, x1, y);
}

void Sheet::frame(double x0, double y0, double x1, double y1) {
  content += fmt::format("0.5 w {} {} {} {} re S\n", x0, y0, x1 - x0, y1 - y0);
}

void Sheet::fill(double x0, double y0, double x1, double y1, const char* paint) {
  content += fmt::format("q {} {} {} {} {} re f Q\n", paint, x0, y0, x1 - x0, y1 - y0);
}

PdfPage Sheet::page() const {
  PdfPage page;
  page.drawing = content;
  page.width = look.width;
  page.height = look.height;
  return page;
}

PageImage scanned(const PdfPage& page, double dpi) {
  return open_document(input(make_pdf({page})), "")->raster(1, dpi, 1 << 30).image;
}

const std::string& prose(size_t index) {
  static const std::vector<std::string> kProse = {
      "The harbour office asked for a survey of the northern basin in the spring, before the quay "
      "is repaired and the dredger leaves for the winter. This report gives the depths that were "
      "measured and says where the ground has changed since the last survey was made eleven years "
      "ago.",
      "Most of the silt lies along the mole, where the current is weak and the ferries turn. It "
      "is soft, almost black, and up to ninety centimetres deep; a boat that runs aground there "
      "comes free again with the next tide, but its engine draws in mud and has to be cleaned.",
      "We used two boats and a lead line where the echo sounder gave no clear answer. Each "
      "sounding "
      "was taken twice, by different people, and a third time if the two were further apart than "
      "a hand is wide. Nobody was told what the others had found until the evening.",
      "Old charts show a channel that nobody living has seen. Fishermen say that it was filled "
      "when the railway came, and the letters of the company, which are kept in the town hall, "
      "mention stones and sand that were bought for the purpose but never paid for.",
      "What should be done is a question of money more than of knowledge. To dredge the whole "
      "basin costs as much as the harbour earns in three years; to dredge the entrance alone is "
      "cheap, and would be enough for the boats that use it now.",
      "A gauge at the lock has been read every morning since the war. Its figures are good, apart "
      "from two winters in which the keeper was ill and his wife wrote down what she could see "
      "from the window of the house, which is some distance away.",
      "The committee met four times and heard everyone who wished to be heard. Its members agree "
      "about the facts; they differ about the year in which the work has to begin, and the "
      "minority asks that its reasons be printed together with this report.",
      "Birds have come back to the island since the path was closed. In the first summer there "
      "were nine pairs of terns, in the second more than thirty, and this year they could no "
      "longer be counted from the shore without disturbing them."};
  return kProse[index % kProse.size()];
}

}  // namespace docspec::test
