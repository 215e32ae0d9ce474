#define POINTERHOLDER_TRANSITION 4  // QPDF's headers warn without it
#include "core/input/bitmaps/bitmap_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <qpdf/Buffer.hh>
#include <qpdf/Pl_Buffer.hh>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFObjectHandle.hh>
#include <qpdf/QPDFPageObjectHelper.hh>
#include <string>
#include <utility>
#include <vector>

#include "core/input/bitmaps/bitmap_font.h"
#include "core/input/letters/byte_font.h"
#include "core/input/letters/unicode_map.h"

namespace docspec {
namespace {

constexpr int kSure = 5;                              // glyphs that tell a font by themselves
constexpr const char* kNamed = "/DocspecNamedFonts";  // on a page: whether it was changed

struct NamedFont {
  BitmapFont font;
  double scale = 1;  ///< its size for one unit of Tf
};
using NamedFonts = std::map<std::string, NamedFont>;  // by their names on the page

/// Writes the page's text with the codes of TeX and the true sizes of the fonts. Some programs draw
/// on a page whose y runs downwards, in fonts that stand on their head: both are turned upright.
class NamedText : public QPDFObjectHandle::TokenFilter {
 public:
  explicit NamedText(const NamedFonts& fonts) : fonts_(fonts) {}

  void handleToken(const QPDFTokenizer::Token& token) override {
    using Type = QPDFTokenizer::token_type_e;
    const Type type = token.getType();
    if (type == QPDFTokenizer::tt_space || type == QPDFTokenizer::tt_comment) return;
    if (type == QPDFTokenizer::tt_inline_image) {
      write(token.getRawValue());
      return;
    }
    if (type != QPDFTokenizer::tt_word) {
      operands_.push_back(token);
      return;
    }
    const std::string& op = token.getValue();
    change(op);
    for (const QPDFTokenizer::Token& operand : operands_) write(operand.getRawValue() + " ");
    write(op == "ID" ? "ID " : op + "\n");
    operands_.clear();
  }

 private:
  using Token = QPDFTokenizer::Token;

  static Token number(double value) {
    return {QPDFTokenizer::tt_real, fmt::format("{:.5f}", value)};
  }
  static bool is_number(const Token& token) {
    return token.getType() == QPDFTokenizer::tt_integer ||
           token.getType() == QPDFTokenizer::tt_real;
  }
  void scale(size_t at, double by) {
    if (at < operands_.size() && is_number(operands_[at]))
      operands_[at] = number(std::strtod(operands_[at].getValue().c_str(), nullptr) * by);
  }
  double value(size_t at) const {
    return at < operands_.size() ? std::strtod(operands_[at].getValue().c_str(), nullptr) : 0;
  }

  void change(const std::string& op) {
    if (op == "q") saved_.push_back(font_);
    if (op == "Q" && !saved_.empty()) {
      font_ = saved_.back();
      saved_.pop_back();
    }
    if (op == "BT") upside_down_ = false;
    if (op == "Tf" && operands_.size() == 2) {
      const auto at = fonts_.find(operands_[0].getValue());
      font_ = at == fonts_.end() ? nullptr : &at->second;
      if (font_) scale(1, font_->scale);
    }
    if (op == "Tm" && operands_.size() == 6) {
      upside_down_ = value(0) > 0 && value(3) < 0 && value(1) == 0 && value(2) == 0;
      if (upside_down_) scale(3, -1);
    }
    if (upside_down_ && (op == "Td" || op == "TD")) scale(1, -1);
    if (upside_down_ && (op == "TL" || op == "Ts")) scale(0, -1);
    if (font_ && (op == "Tj" || op == "TJ" || op == "'" || op == "\""))
      for (size_t i = 0; i < operands_.size(); ++i) {
        if (operands_[i].getType() == QPDFTokenizer::tt_string)
          operands_[i] = {QPDFTokenizer::tt_string, recoded(operands_[i].getValue())};
        else if (op == "TJ")
          scale(i, 1 / font_->scale);
      }
  }

  std::string recoded(std::string text) const {
    for (char& c : text)
      if (const int code = font_->font.codes[uint8_t(c)]; code >= 0) c = char(code);
    return text;
  }

  const NamedFonts& fonts_;
  const NamedFont* font_ = nullptr;
  bool upside_down_ = false;
  std::vector<const NamedFont*> saved_;
  std::vector<Token> operands_;
};

/// A font without glyphs, with the widths and letters of a bitmap font.
QPDFObjectHandle plain_font(QPDF& pdf, const BitmapFont& from) {
  std::string widths;
  for (const double width : from.widths) widths += fmt::format("{:.1f} ", width / from.em * 1000);
  QPDFObjectHandle font = QPDFObjectHandle::parse(fmt::format(
      "<< /Type /Font /Subtype /Type1 /BaseFont /{} /FirstChar 0 /LastChar 255 /Widths [{}] "
      "/FontDescriptor << /Type /FontDescriptor /FontName /{} /Flags 4 /Ascent 750 /Descent -250 "
      "/CapHeight 700 /ItalicAngle 0 /StemV 80 /FontBBox [0 -250 1000 750] >> >>",
      from.name, widths, from.name));
  font.replaceKey("/ToUnicode", QPDFObjectHandle::newStream(&pdf, map_of_letters(from.letters)));
  return pdf.makeIndirectObject(font);
}

}  // namespace

bool name_bitmap_fonts(QPDF& pdf, int page) {
  const auto& pages = pdf.getAllPages();
  if (page < 1 || size_t(page) > pages.size()) return false;
  QPDFObjectHandle own = pages[size_t(page) - 1];
  if (own.hasKey(kNamed)) return own.getKey(kNamed).getBoolValue();
  own.replaceKey(kNamed, QPDFObjectHandle::newBool(false));
  QPDFPageObjectHelper helper(own);
  QPDFObjectHandle resources = helper.getAttribute("/Resources", false);
  QPDFObjectHandle fonts = entry(resources, "/Font");
  if (!fonts.isDictionary()) return false;
  NamedFonts named;
  QPDFObjectHandle changed = fonts.shallowCopy();
  double largest = 0;         // of the fonts with many glyphs
  int known = 0, others = 0;  // glyphs
  for (const std::string& key : fonts.getKeys()) {
    QPDFObjectHandle font = fonts.getKey(key), matrix = entry(font, "/FontMatrix");
    if (!matrix.isArray() || matrix.getArrayNItems() != 6) continue;
    auto read = read_bitmap_font(font);
    if (!read) {
      QPDFObjectHandle glyphs = entry(font, "/CharProcs");
      others += glyphs.isDictionary() ? int(glyphs.getKeys().size()) : 0;
      continue;
    }
    known += read->size();
    const double scale = std::abs(matrix.getArrayItem(0).getNumericValue()) * read->em;
    if (read->size() >= kSure) largest = std::max(largest, scale);
    named[key] = {std::move(*read), scale};
  }
  // A few glyphs fit many fonts, but not at every size.
  std::erase_if(named, [&](const auto& one) {
    const auto& [font, scale] = one.second;
    return font.size() < kSure && (scale < 0.3 * largest || scale > 1.5 * largest);
  });
  // The sizes of nameless fonts are guessed, and do not compare with those of others.
  if (named.empty() || known < others) return false;
  for (const auto& [key, one] : named) changed.replaceKey(key, plain_font(pdf, one.font));
  NamedText text(named);
  Pl_Buffer filtered("");
  helper.filterContents(&text, &filtered);
  const auto bytes = filtered.getBufferSharedPointer();
  QPDFObjectHandle copy = resources.shallowCopy();
  copy.replaceKey("/Font", changed);
  own.replaceKey("/Resources", copy);
  own.replaceKey(
      "/Contents",
      QPDFObjectHandle::newStream(
          &pdf, std::string(reinterpret_cast<const char*>(bytes->getBuffer()), bytes->getSize())));
  own.replaceKey(kNamed, QPDFObjectHandle::newBool(true));
  return true;
}

}  // namespace docspec
