#define POINTERHOLDER_TRANSITION 4  // QPDF's headers warn without it
#include "core/input/pdf_glyphs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <map>
#include <optional>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFObjectHandle.hh>
#include <qpdf/QPDFPageObjectHelper.hh>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "core/input/bitmaps/bitmap_text.h"
#include "core/input/content/saved_states.h"
#include "core/input/letters/symbol_fonts.h"
#include "core/input/letters/tex_fonts.h"
#include "core/input/wide/drawn_signs.h"
#include "core/input/wide/formula_fonts.h"
#include "core/input/wide/inked_font.h"
#include "core/input/wide/wide_font.h"

namespace docspec {
namespace {

/// x' = a x + c y + e, y' = b x + d y + f
struct Matrix {
  double a = 1, b = 0, c = 0, d = 1, e = 0, f = 0;

  Matrix then(const Matrix& m) const {
    return {a * m.a + b * m.c, a * m.b + b * m.d,       c * m.a + d * m.c,
            c * m.b + d * m.d, e * m.a + f * m.c + m.e, e * m.b + f * m.d + m.f};
  }
  /// Of a page whose y runs downwards; `slant`: of letters, at most.
  bool upright(double slant) const {
    return a > 0 && d < 0 && std::abs(b) < 1e-3 * a && std::abs(c) < slant * a;
  }
};

struct Font {
  int name = -1;     // index into PageGlyphs::fonts; -1 = one that cannot be read
  int upright = -1;  // of the letters that a font of formulas has for its text
  ByteFont letters;
  std::optional<WideFont> wide;  // with codes of two bytes
  bool unread = false;           // a formula with a letter of it cannot be told

  size_t code_bytes() const { return wide ? 2 : 1; }
  WideGlyph glyph(unsigned code) const {
    return wide ? wide->glyph(code) : WideGlyph{letters.glyphs[code], letters.widths[code]};
  }
};

Matrix matrix_of(QPDFObjectHandle array) {
  if (!array.isArray() || array.getArrayNItems() != 6) return {};
  std::array<double, 6> m{};
  for (int i = 0; i < 6; ++i) {
    if (!array.getArrayItem(i).isNumber()) return {};
    m[size_t(i)] = array.getArrayItem(i).getNumericValue();
  }
  return {m[0], m[1], m[2], m[3], m[4], m[5]};
}

/// Runs through the operators of a page's content that place letters and fill bars, also through
/// those of a page that was put whole on another.
class GlyphReader : public QPDFObjectHandle::ParserCallbacks {
 public:
  /// `area` of the page, in square pixels.
  GlyphReader(QPDFObjectHandle resources, const Matrix& to_pixels, double area, bool tex_wrote)
      : resources_(resources), area_(area), tex_wrote_(tex_wrote) {
    out_.equations = !tex_wrote && has_equations(resources);
    wide_ = out_.equations || has_wide_text(resources);
    state_.ctm = to_pixels;
  }

  void handleObject(QPDFObjectHandle object, size_t, size_t) override {
    constexpr size_t kMostOperands = 4000;
    if (!object.isOperator() && operands_.size() < kMostOperands) operands_.push_back(object);
    if (!object.isOperator()) return;
    run(object.getOperatorValue());
    operands_.clear();
    if (out_.glyphs.size() > kMostGlyphs) terminateParsing();
  }
  void handleEOF() override {}

  PageGlyphs take() {
    const bool read =
        tex_wrote_ || wide_ || std::any_of(out_.fonts.begin(), out_.fonts.end(), is_tex_math);
    if (!read || out_.glyphs.size() > kMostGlyphs || lines_.size() > kMostLines) return {};
    if (!lines_.empty()) {
      const std::vector<PageGlyph> signs = drawn_signs(lines_, out_.rules, equation_font());
      out_.glyphs.insert(out_.glyphs.end(), signs.begin(), signs.end());
      std::sort(out_.glyphs.begin(), out_.glyphs.end(),
                [](const PageGlyph& a, const PageGlyph& b) { return a.order < b.order; });
    }
    return std::move(out_);
  }

 private:
  static constexpr size_t kMostGlyphs = 60'000, kMostLines = 3'000;  // each line meets all others
  static constexpr size_t kMostOfPath = 40;  // signs have few, curves of a figure many
  // Word slants the letters of a font that has no slanted ones.
  static constexpr double kUpright = 1e-3, kSlant = 0.4, kSlender = 4;

  struct State {
    Matrix ctm;
    const Font* font = nullptr;
    double size = 0, spacing = 0, word_spacing = 0, stretch = 1, leading = 0, rise = 0;
  };

  double number(size_t i) {
    return i < operands_.size() && operands_[i].isNumber() ? operands_[i].getNumericValue() : 0;
  }
  Matrix matrix() { return {number(0), number(1), number(2), number(3), number(4), number(5)}; }

  void run(const std::string& op) {
    if (saved_.run(op, state_)) return;
    if (op == "cm")
      state_.ctm = matrix().then(state_.ctm);
    else if (op == "BT")
      line_ = text_ = Matrix();
    else if (op == "Tf")
      set_font();
    else if (op == "Td" || op == "TD") {
      if (op == "TD") state_.leading = -number(1);
      move(number(0), number(1));
    } else if (op == "Tm")
      line_ = text_ = matrix();
    else if (op == "T*")
      move(0, -state_.leading);
    else if (op == "Tc")
      state_.spacing = number(0);
    else if (op == "Tw")
      state_.word_spacing = number(0);
    else if (op == "Tz")
      state_.stretch = number(0) / 100;
    else if (op == "TL")
      state_.leading = number(0);
    else if (op == "Ts")
      state_.rise = number(0);
    else if ((op == "Tj" || op == "'") && !operands_.empty()) {
      if (op == "'") move(0, -state_.leading);
      show(operands_[0]);
    } else if (op == "TJ" && !operands_.empty())
      show_all(operands_[0]);
    else if (op == "Do" && !operands_.empty() && operands_[0].isName())
      enter(entry(entry(resources_, "/XObject"), operands_[0].getName()));
    else if (op == "re")
      bar_ = {number(0), number(1), number(2), number(3)};
    else if ((op == "f" || op == "F" || op == "f*") && bar_[2] != 0)
      fill();
    else if (op == "m")
      point_ = {number(0), number(1)}, path_ = {number(0), number(1), 0, 0};
    else if (op == "l") {
      if (out_.equations) add_line(number(0), number(1));
      path_[2] = number(0);
      path_[3] = number(1);
    } else if (op == "w")
      width_ = number(0);
    else if (op == "EI")
      add_image();
    else if (op == "S" || op == "s")
      stroke();
    if (op != "re") bar_ = {};
    if (op == "f" || op == "f*" || op == "n") open_lines_.clear();
  }

  /// Reads a form that is as large as the page: programs that add page numbers and stamps keep the
  /// page itself in one. Smaller forms are figures, or Word's equations.
  void enter(QPDFObjectHandle form) {
    constexpr double kWhole = 0.6, kEquation = 0.1;  // of the page
    constexpr int kDeepest = 6, kMost = 40, kMostEquations = 500;
    if (!is_form(form) || depth_ == kDeepest ||
        entered_ == (out_.equations ? kMostEquations : kMost))
      return;
    QPDFObjectHandle dictionary = form.getDict(), bounds = dictionary.getKey("/BBox");
    const Matrix to_pixels = matrix_of(dictionary.getKey("/Matrix")).then(state_.ctm);
    if (!bounds.isRectangle()) return;
    const auto box = bounds.getArrayAsRectangle();
    const double covered = std::abs((box.urx - box.llx) * (box.ury - box.lly) *
                                    (to_pixels.a * to_pixels.d - to_pixels.b * to_pixels.c));
    const bool picture = covered < kWhole * area_;
    if (picture && (!out_.equations || covered > kEquation * area_)) return;
    const int first = order_;
    QPDFObjectHandle own = dictionary.getKey("/Resources");
    // Moved, not copied: the states point into the map of fonts.
    auto outer = std::tuple(resources_, std::move(known_), state_, std::exchange(saved_, {}));
    if (own.isDictionary()) resources_ = own;
    known_.clear();
    operands_.clear();
    state_.ctm = to_pixels;
    ++depth_, ++entered_;
    const bool outer_picture = std::exchange(in_picture_, in_picture_ || picture);
    form.parseAsContents(this);
    in_picture_ = outer_picture;
    --depth_;
    if (picture && order_ > first) out_.pictures.push_back({first, order_});
    std::tie(resources_, known_, state_, saved_) = std::move(outer);
  }

  void move(double x, double y) { line_ = text_ = Matrix{1, 0, 0, 1, x, y}.then(line_); }

  void set_font() {
    state_.size = number(1);
    state_.font = nullptr;
    if (operands_.empty() || !operands_[0].isName()) return;
    const std::string key = operands_[0].getName();
    auto [at, fresh] = known_.try_emplace(key);
    if (fresh) load(key, at->second);
    if (at->second.name >= 0) state_.font = &at->second;
  }

  void load(const std::string& key, Font& font) {
    QPDFObjectHandle dictionary = entry(entry(resources_, "/Font"), key);
    if (auto read = read_inked_font(dictionary, tex_wrote_)) {
      font.name = font.upright = add_name(std::move(read->name));
      font.letters = std::move(*read);
    } else if (wide_) {
      font.wide = read_wide_font(dictionary);
      if (!font.wide) {
        if (out_.equations) font.name = add_name(base_font_name(dictionary)), font.unread = true;
        return;
      }
      font.name = font.upright = add_name(font.wide->name);
      if (auto upright = upright_name(font.wide->name); !upright.empty())
        font.upright = add_name(std::move(upright));
    }
  }
  int add_name(std::string name) {
    out_.fonts.push_back(std::move(name));
    return int(out_.fonts.size()) - 1;
  }

  void show_all(QPDFObjectHandle array) {
    if (!array.isArray()) return;
    for (int i = 0; i < array.getArrayNItems(); ++i) {
      QPDFObjectHandle item = array.getArrayItem(i);
      if (item.isNumber())
        advance(-item.getNumericValue() / 1000 * state_.size * state_.stretch);
      else
        show(item);
    }
  }

  /// Of the next letter, which a size or a width below 0 turns over.
  Matrix place_of_letter() const {
    const double up = state_.size < 0 ? -1 : 1, on = state_.stretch < 0 ? -up : up;
    return Matrix{on, 0, 0, up, 0, state_.rise}.then(text_).then(state_.ctm);
  }
  void advance(double x) { text_ = Matrix{1, 0, 0, 1, x, 0}.then(text_); }

  void show(QPDFObjectHandle string) {
    if (!string.isString() || !state_.font) return;
    const Font& font = *state_.font;
    if (font.unread) {
      const Matrix place = place_of_letter();
      if (place.upright(kSlant)) add({}, font.name, place, 0.5 * std::abs(state_.size));
      return;
    }
    const std::string codes = string.getStringValue();
    for (size_t at = 0; at + font.code_bytes() <= codes.size(); at += font.code_bytes()) {
      unsigned code = 0;
      for (size_t k = 0; k < font.code_bytes(); ++k) code = code << 8 | uint8_t(codes[at + k]);
      const WideGlyph shown = font.glyph(code);
      const double width = shown.width * state_.size * state_.stretch;
      const Matrix place = place_of_letter();
      const bool blank = shown.glyph.letter == ' ';
      if (place.upright(out_.equations ? kSlant : kUpright) && !blank &&
          out_.glyphs.size() <= kMostGlyphs)
        add(shown, shown.upright ? font.upright : font.name, place, std::abs(width));
      const bool space = !font.wide && code == ' ';
      advance(width + (state_.spacing + (space ? state_.word_spacing : 0)) * state_.stretch);
    }
  }

  void add(const WideGlyph& shown, int font, const Matrix& place, double width) {
    const TexGlyph& of = shown.glyph;
    PageGlyph glyph;
    glyph.letter = of.letter;
    glyph.font = font;
    glyph.x0 = place.e;
    glyph.x1 = place.e + width * place.a;
    if (shown.left != shown.right) {
      glyph.x0 = place.e + shown.left * std::abs(state_.size) * place.a;
      glyph.x1 = place.e + shown.right * std::abs(state_.size) * place.a;
    }
    glyph.base = place.f;
    glyph.size = std::abs(state_.size * place.d);
    glyph.top = glyph.base - of.above * glyph.size;
    glyph.bottom = glyph.base + of.below * glyph.size;
    glyph.order = order_++;
    out_.glyphs.push_back(glyph);
  }

  void add_rule(double x0, double y0, double x1, double y1) {
    if (std::max(out_.rules.size(), out_.uprights.size()) > kMostGlyphs) return;
    const Matrix& m = state_.ctm;
    const auto [u0, u1] = std::minmax({m.a * x0 + m.c * y0 + m.e, m.a * x1 + m.c * y1 + m.e});
    const auto [v0, v1] = std::minmax({m.b * x0 + m.d * y0 + m.f, m.b * x1 + m.d * y1 + m.f});
    if (v1 - v0 > kSlender * (u1 - u0))
      out_.uprights.push_back({u0, v0, u1, v1, order_});
    else
      out_.rules.push_back({u0, v0, u1, v1, order_++});
  }
  void fill() { add_rule(bar_[0], bar_[1], bar_[0] + bar_[2], bar_[1] + bar_[3]); }
  void add_image() {  // dvips paints bars as images of one dot
    const auto [thick, length] = std::minmax({std::abs(state_.ctm.a), std::abs(state_.ctm.d)});
    if (length > kSlender * thick) add_rule(0, 0, 1, 1);
  }
  void stroke() {  // dvips and others draw bars as thick lines
    if (out_.equations) return add_lines();
    const auto [x0, y0, x1, y1] = std::exchange(path_, {});
    const double half = width_ / 2;
    if (std::abs(y0 - y1) < 1e-3 && x0 != x1) add_rule(x0, y0 - half, x1, y1 + half);
    if (std::abs(x0 - x1) < 1e-3 && y0 != y1) add_rule(x0 - half, y0, x1 + half, y1);
  }

  /// Goes on with the path to a point.
  void add_line(double x, double y) {
    const Matrix& m = state_.ctm;
    const auto at = [&](const std::pair<double, double>& point) {
      return std::pair(m.a * point.first + m.c * point.second + m.e,
                       m.b * point.first + m.d * point.second + m.f);
    };
    auto from = at(point_), to = at({x, y});
    point_ = {x, y};
    if (open_lines_.size() > kMostOfPath || lines_.size() > kMostLines) return;
    if (from > to) std::swap(from, to);
    open_lines_.push_back({from.first, from.second, to.first, to.second, order_++, in_picture_});
  }
  void add_lines() {
    constexpr double kLevel = 0.1;  // pixels
    const double half = std::abs(state_.ctm.d) * width_ / 2;
    if (open_lines_.size() > kMostOfPath) open_lines_.clear();
    for (const DrawnLine& line : open_lines_) {
      if (std::abs(line.y0 - line.y1) > kLevel)
        lines_.push_back(line);
      else if (line.x1 > line.x0 && out_.rules.size() < kMostGlyphs)
        out_.rules.push_back({line.x0, line.y0 - half, line.x1, line.y0 + half, line.order});
    }
    open_lines_.clear();
  }
  int equation_font() {
    const auto at = std::find_if(out_.fonts.begin(), out_.fonts.end(), is_equation_font);
    return at != out_.fonts.end() ? int(at - out_.fonts.begin()) : add_name("Symbol");
  }

  QPDFObjectHandle resources_;
  double area_;
  bool tex_wrote_;
  bool wide_ = false;            // whether fonts with codes of two bytes are read
  int depth_ = 0, entered_ = 0;  // of forms
  std::map<std::string, Font> known_;
  std::vector<QPDFObjectHandle> operands_;
  State state_;
  SavedStates<State> saved_;
  Matrix text_, line_;
  std::array<double, 4> bar_{}, path_{};  // x, y, width, height; ends of a line
  std::pair<double, double> point_;       // where the path is
  // Of a page with equations: the lines of the path that is open; those drawn that are not level.
  std::vector<DrawnLine> open_lines_, lines_;
  bool in_picture_ = false;
  double width_ = 1;
  int order_ = 0;
  PageGlyphs out_;
};

}  // namespace

PageGlyphs read_pdf_glyphs(QPDF& pdf, int page, double dpi, bool tex_wrote) {
  try {
    const auto& pages = pdf.getAllPages();
    if (page < 1 || size_t(page) > pages.size()) return {};
    name_bitmap_fonts(pdf, page);
    QPDFPageObjectHelper helper(pages[size_t(page) - 1]);
    QPDFObjectHandle rotate = helper.getAttribute("/Rotate", false);
    if (rotate.isInteger() && rotate.getIntValue() % 360 != 0) return {};
    QPDFObjectHandle crop = helper.getCropBox();
    if (!crop.isRectangle()) return {};
    const auto box = crop.getArrayAsRectangle();
    const double scale = dpi / 72;
    const double area = (box.urx - box.llx) * (box.ury - box.lly) * scale * scale;
    GlyphReader reader(helper.getAttribute("/Resources", false),
                       {scale, 0, 0, -scale, -box.llx * scale, box.ury * scale}, area, tex_wrote);
    helper.parseContents(&reader);
    return reader.take();
  } catch (const std::exception&) {
    return {};
  }
}

}  // namespace docspec
