#pragma once

#include <string>
#include <vector>

#include "tests/support/pdf_writer.h"

namespace docspec::test {

/// How pages are set.
struct Look {
  const char* name;
  bool serif;      ///< Times, else Helvetica
  bool justified;  ///< each word placed on its own, as TeX does; else lines with blanks
  double size, width, height, margin;
};

/// Where text is set: `y` is the next baseline and sinks with each line.
struct Column {
  double x, width, y;
};

struct Style {
  double size = 0;  ///< 0 = the text's own
  bool bold = false;
  std::string font = {};  ///< one of pdf_writer.h's; empty = the text's own
};

/// A page set as a typesetter would, and beside it the Markdown that a reader would write.
/// Texts are UTF-8 with `*slanted*`, `**bold**`, raised and lowered digits.
class Sheet {
 public:
  explicit Sheet(const Look& look) : look(look) {}

  /// All of the page between its margins.
  Column body() const { return {look.margin, look.width - 2 * look.margin, look.height - 78}; }
  /// Column `index` of `count`, from `y` down.
  Column column(int index, int count, double y, double gap = 22) const;
  double leading(double size = 0) const { return 1.22 * (size > 0 ? size : look.size); }

  /// Sets a paragraph. It is not said.
  void set(Column& at, const std::string& text, const Style& style = {});
  /// Sets one line wherever it is.
  void put(double x, double y, const std::string& text, const Style& style = {});
  void put_centered(double x, double y, const std::string& text, const Style& style = {});
  void put_right(double x, double y, const std::string& text, const Style& style = {});
  /// Sets a paragraph with space below, and says it.
  void paragraph(Column& at, const std::string& text);
  /// Sets a line that heads what follows, and says it with `marks`.
  void heading(Column& at, const std::string& marks, const std::string& text, const Style& style);
  void rule(double x0, double x1, double y, double width = 0.5);
  void frame(double x0, double y0, double x1, double y1);
  void fill(double x0, double y0, double x1, double y1, const char* paint);
  void say(const std::string& markdown) { truth += markdown + "\n\n"; }

  double width_of(const std::string& text, const Style& style = {}) const;

  Look look;
  std::string content, truth;
  PdfPage page() const;

 private:
  /// Letters of one font, in WinAnsi.
  struct Run {
    std::string letters, font;
    double size, raise;
  };
  using Pieces = std::vector<Run>;
  std::vector<Pieces> words_of(const std::string& text, const Style& style) const;
  double width_of(const Pieces& word) const;
  void put_word(double x, double y, const Pieces& word);
  void put_words(double x, double y, const std::vector<Pieces>& words, double blank);
  double blank_of(const Style& style) const;
};

/// Paragraph `index` of a made-up report; any index will do.
const std::string& prose(size_t index);

/// What the pages look like on paper, as a scanner sees them.
PageImage scanned(const PdfPage& page, double dpi);

}  // namespace docspec::test
