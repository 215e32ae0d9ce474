#define POINTERHOLDER_TRANSITION 4  // QPDF's headers warn without it
#include "core/input/pdf_glyphs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <map>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFObjectHandle.hh>
#include <qpdf/QPDFPageObjectHelper.hh>
#include <string>
#include <utility>
#include <vector>

#include "core/input/letters/glyph_widths.h"
#include "core/input/letters/tex_fonts.h"
#include "core/input/letters/unicode_map.h"

namespace docspec {
namespace {

/// x' = a x + c y + e, y' = b x + d y + f
struct Matrix {
  double a = 1, b = 0, c = 0, d = 1, e = 0, f = 0;

  Matrix then(const Matrix& m) const {
    return {a * m.a + b * m.c, a * m.b + b * m.d,       c * m.a + d * m.c,
            c * m.b + d * m.d, e * m.a + f * m.c + m.e, e * m.b + f * m.d + m.f};
  }
  bool upright() const {  // of a page whose y runs downwards
    return a > 0 && d < 0 && std::abs(b) < 1e-3 * a && std::abs(c) < 1e-3 * a;
  }
};

/// A font with codes of one byte.
struct Font {
  int name = -1;                       // index into PageGlyphs::fonts; -1 = not such a font
  std::array<double, 256> widths{};    // in font sizes
  std::array<TexGlyph, 256> glyphs{};  // letter 0 = not known
};

/// Runs through the operators of a page's content that place letters and fill bars.
class GlyphReader : public QPDFObjectHandle::ParserCallbacks {
 public:
  GlyphReader(QPDFObjectHandle fonts, const Matrix& to_pixels) : fonts_(fonts) {
    state_.ctm = to_pixels;
  }

  void handleObject(QPDFObjectHandle object, size_t, size_t) override {
    constexpr size_t kMostOperands = 4000;
    if (!object.isOperator()) {
      if (operands_.size() < kMostOperands) operands_.push_back(object);
      return;
    }
    run(object.getOperatorValue());
    operands_.clear();
    if (out_.glyphs.size() > kMostGlyphs) terminateParsing();
  }
  void handleEOF() override {}

  PageGlyphs take() { return out_.glyphs.size() > kMostGlyphs ? PageGlyphs() : std::move(out_); }

 private:
  static constexpr size_t kMostGlyphs = 60'000;  // of a page

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
    if (op == "q" && saved_.size() < 100)
      saved_.push_back(state_);
    else if (op == "Q" && !saved_.empty()) {
      state_ = saved_.back();
      saved_.pop_back();
    } else if (op == "cm")
      state_.ctm = matrix().then(state_.ctm);
    else if (op == "BT")
      line_ = text_ = Matrix();
    else if (op == "Tf")
      set_font();
    else if (op == "Td")
      move(number(0), number(1));
    else if (op == "TD") {
      state_.leading = -number(1);
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
    else if (op == "Tj" && !operands_.empty())
      show(operands_[0]);
    else if (op == "'" && !operands_.empty()) {
      move(0, -state_.leading);
      show(operands_[0]);
    } else if (op == "TJ" && !operands_.empty())
      show_all(operands_[0]);
    else if (op == "re")
      bar_ = {number(0), number(1), number(2), number(3)};
    else if ((op == "f" || op == "F" || op == "f*") && bar_[2] != 0)
      fill();
    else if (op == "m")
      path_ = {number(0), number(1), 0, 0};
    else if (op == "l") {
      path_[2] = number(0);
      path_[3] = number(1);
    } else if (op == "w")
      width_ = number(0);
    else if (op == "EI")
      add_image();
    else if (op == "S")
      stroke();
    if (op != "re") bar_ = {};
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
    QPDFObjectHandle object = fonts_.isDictionary() ? fonts_.getKey(key) : fonts_;
    if (!object.isDictionary() || !object.getKey("/BaseFont").isName() ||
        !object.getKey("/Subtype").isName() || object.getKey("/Subtype").getName() == "/Type0")
      return;
    const std::string name = plain_font_name(object.getKey("/BaseFont").getName().substr(1));
    const auto mapped = mapped_letters(object.getKey("/ToUnicode"));
    for (unsigned code = 0; code < 256; ++code) {
      if (const auto glyph = tex_glyph(name, code))
        font.glyphs[code] = *glyph;
      else if (mapped[code] != 0)
        font.glyphs[code].letter = plain_sign(mapped[code]);
      else if (code > 0x20 && code < 0x7F)
        font.glyphs[code].letter = code;
    }
    read_names(object.getKey("/Encoding"), font);
    QPDFObjectHandle widths = object.getKey("/Widths"), first = object.getKey("/FirstChar");
    if (!widths.isArray() || !first.isInteger()) return;
    for (int i = 0; i < std::min(256, widths.getArrayNItems()); ++i) {
      const long long code = first.getIntValue() + i;
      QPDFObjectHandle width = widths.getArrayItem(i);
      if (code >= 0 && code < 256 && width.isNumber())
        font.widths[size_t(code)] = width.getNumericValue() / 1000;
    }
    font.name = int(out_.fonts.size());
    out_.fonts.push_back(name);
  }

  static std::array<uint32_t, 256> mapped_letters(QPDFObjectHandle map) {
    constexpr size_t kMostBytes = 1 << 20;
    if (!map.isStream()) return {};
    const auto bytes = map.getStreamData(qpdf_dl_generalized);
    return letters_of_map({reinterpret_cast<const char*>(bytes->getBuffer()),
                           std::min(bytes->getSize(), kMostBytes)});
  }

  /// Names that the font's dictionary gives to codes.
  static void read_names(QPDFObjectHandle encoding, Font& font) {
    if (!encoding.isDictionary() || !encoding.getKey("/Differences").isArray()) return;
    long long code = 0;
    for (QPDFObjectHandle item : encoding.getKey("/Differences").getArrayAsVector()) {
      if (item.isInteger()) code = item.getIntValue();
      if (!item.isName()) continue;
      const uint32_t letter = tex_letter_of_name(item.getName().substr(1));
      if (letter != 0 && code >= 0 && code < 256) font.glyphs[size_t(code)].letter = letter;
      ++code;
    }
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

  void advance(double x) { text_ = Matrix{1, 0, 0, 1, x, 0}.then(text_); }

  void show(QPDFObjectHandle string) {
    if (!string.isString() || !state_.font) return;
    for (const unsigned char code : string.getStringValue()) {
      const Font& font = *state_.font;
      const double width = font.widths[code] * state_.size * state_.stretch;
      const Matrix place = Matrix{1, 0, 0, 1, 0, state_.rise}.then(text_).then(state_.ctm);
      if (place.upright() && out_.glyphs.size() <= kMostGlyphs) add(font, code, place, width);
      advance(width + (state_.spacing + (code == ' ' ? state_.word_spacing : 0)) * state_.stretch);
    }
  }

  void add(const Font& font, unsigned char code, const Matrix& place, double width) {
    const TexGlyph& of = font.glyphs[code];
    PageGlyph glyph;
    glyph.letter = of.letter;
    glyph.font = font.name;
    glyph.x0 = place.e;
    glyph.x1 = place.e + width * place.a;
    glyph.base = place.f;
    glyph.size = std::abs(state_.size * place.d);
    glyph.top = glyph.base - of.above * glyph.size;
    glyph.bottom = glyph.base + of.below * glyph.size;
    glyph.order = order_++;
    out_.glyphs.push_back(glyph);
  }

  void add_rule(double x0, double y0, double x1, double y1) {
    if (out_.rules.size() > kMostGlyphs) return;
    const Matrix& m = state_.ctm;
    const double u0 = m.a * x0 + m.c * y0 + m.e, u1 = m.a * x1 + m.c * y1 + m.e;
    const double v0 = m.b * x0 + m.d * y0 + m.f, v1 = m.b * x1 + m.d * y1 + m.f;
    out_.rules.push_back(
        {std::min(u0, u1), std::min(v0, v1), std::max(u0, u1), std::max(v0, v1), order_++});
  }
  void fill() { add_rule(bar_[0], bar_[1], bar_[0] + bar_[2], bar_[1] + bar_[3]); }
  /// dvips paints bars as images of one dot.
  void add_image() {
    constexpr double kSlender = 4;  // widths in heights
    const Matrix& m = state_.ctm;
    if (std::abs(m.a) > kSlender * std::abs(m.d)) add_rule(0, 0, 1, 1);
  }
  void stroke() {  // dvips and others draw bars as thick lines
    if (std::abs(path_[1] - path_[3]) > 1e-3 || path_[0] == path_[2]) return;
    add_rule(path_[0], path_[1] - width_ / 2, path_[2], path_[3] + width_ / 2);
    path_ = {};
  }

  QPDFObjectHandle fonts_;
  std::map<std::string, Font> known_;
  std::vector<QPDFObjectHandle> operands_;
  State state_;
  std::vector<State> saved_;
  Matrix text_, line_;
  std::array<double, 4> bar_{}, path_{};  // x, y, width, height; ends of a line
  double width_ = 1;
  int order_ = 0;
  PageGlyphs out_;
};

}  // namespace

PageGlyphs read_pdf_glyphs(QPDF& pdf, int page, double dpi) {
  try {
    const auto& pages = pdf.getAllPages();
    if (page < 1 || size_t(page) > pages.size()) return {};
    QPDFPageObjectHelper helper(pages[size_t(page) - 1]);
    QPDFObjectHandle rotate = helper.getAttribute("/Rotate", false);
    if (rotate.isInteger() && rotate.getIntValue() % 360 != 0) return {};
    QPDFObjectHandle crop = helper.getCropBox();
    if (!crop.isRectangle()) return {};
    const auto box = crop.getArrayAsRectangle();
    const double scale = dpi / 72;
    QPDFObjectHandle resources = helper.getAttribute("/Resources", false);
    QPDFObjectHandle fonts =
        resources.isDictionary() ? resources.getKey("/Font") : QPDFObjectHandle::newNull();
    GlyphReader reader(fonts, {scale, 0, 0, -scale, -box.llx * scale, box.ury * scale});
    helper.parseContents(&reader);
    return reader.take();
  } catch (const std::exception&) {
    return {};
  }
}

}  // namespace docspec
