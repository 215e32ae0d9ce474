#define POINTERHOLDER_TRANSITION 4  // QPDF's headers warn without it
#include "core/input/mended_page.h"

#include <exception>
#include <memory>
#include <qpdf/Buffer.hh>
#include <qpdf/Pl_Buffer.hh>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFObjectHandle.hh>
#include <qpdf/QPDFPageObjectHelper.hh>
#include <qpdf/QPDFWriter.hh>
#include <vector>

#include "core/input/letters/byte_font.h"
#include "core/input/letters/tex_fonts.h"
#include "core/input/letters/unicode_map.h"

namespace docspec {
namespace {

/// Ends each span before the `Q` that gives up the font of its last letters.
class SpanEnds : public QPDFObjectHandle::TokenFilter {
 public:
  void handleToken(const QPDFTokenizer::Token& token) override {
    const std::string& word = token.getValue();
    if (token.getType() == QPDFTokenizer::tt_name && word == "/ActualText") named_ = true;
    if (token.getType() == QPDFTokenizer::tt_word) {
      if (word == "q") ++depth_;
      if (word == "Q") {
        --depth_;
        if (!spans_.empty()) spans_.back().last_restore = text_.size();
      }
      if (word == "BMC" || word == "BDC") spans_.push_back({named_ && word == "BDC", depth_});
      if (word == "EMC" && !spans_.empty()) return end_span();
      named_ = false;
    }
    text_ += token.getRawValue();
  }

  void handleEOF() override { write(text_); }

  bool moved() const { return moved_; }

 private:
  struct Span {
    bool stands_for_text;
    int depth;
    size_t last_restore = std::string::npos;  // where in text_ the last Q of the span stands
  };

  void end_span() {
    const Span span = spans_.back();
    spans_.pop_back();
    const bool whole = span.stands_for_text && span.depth == depth_;
    if (!whole || span.last_restore == std::string::npos) {
      text_ += "EMC";
      return;
    }
    text_.insert(span.last_restore, "EMC ");
    moved_ = true;
  }

  std::string text_;
  std::vector<Span> spans_;
  int depth_ = 0;
  bool named_ = false, moved_ = false;
};

std::string bytes_of(const std::shared_ptr<Buffer>& buffer) {
  return {reinterpret_cast<const char*>(buffer->getBuffer()), buffer->getSize()};
}

QPDFObjectHandle fonts_of(QPDFObjectHandle page) {
  QPDFObjectHandle resources = QPDFPageObjectHelper(page).getAttribute("/Resources", false);
  return resources.isDictionary() ? resources.getKey("/Font") : QPDFObjectHandle::newNull();
}

/// Whether a font's map gives a sign the letter of an arrow, a key or an ornament, while the sign's
/// name is that of another one.
bool has_wrong_map(QPDFObjectHandle font) {
  if (!is_tex_math(base_font_name(font)) || !font.getKey("/Encoding").isDictionary()) return false;
  const auto mapped = letters_of_map(docspec::bytes_of(font.getKey("/ToUnicode")));
  const auto own = read_byte_font(font, false);
  if (!own) return false;
  for (size_t code = 0; code < mapped.size(); ++code) {
    const uint32_t letter = mapped[code];
    const bool odd = (letter >= 0x21B0 && letter < 0x2200) ||
                     (letter >= 0x230C && letter < 0x232C) || (letter >= 0x2700 && letter < 0x27C0);
    if (odd && own->glyphs[code].letter != plain_sign(letter)) return true;
  }
  return false;
}

/// The names under which a page knows such fonts.
std::vector<std::string> keys_of_wrong_maps(QPDFObjectHandle page) {
  std::vector<std::string> keys;
  QPDFObjectHandle fonts = fonts_of(page);
  if (!fonts.isDictionary()) return keys;
  for (const std::string& key : fonts.getKeys())
    if (has_wrong_map(fonts.getKey(key))) keys.push_back(key);
  return keys;
}

bool names_actual_text(const std::vector<QPDFObjectHandle>& contents) {
  for (QPDFObjectHandle stream : contents)
    if (bytes_of(stream.getStreamData(qpdf_dl_generalized)).find("/ActualText") !=
        std::string::npos)
      return true;
  return false;
}

}  // namespace

std::string page_for_text(QPDF& pdf, int page) {
  try {
    const auto& pages = pdf.getAllPages();
    if (page < 1 || size_t(page) > pages.size()) return "";
    QPDFPageObjectHelper source(pages[size_t(page) - 1]);
    const bool wrong_maps = !keys_of_wrong_maps(source.getObjectHandle()).empty();
    SpanEnds ends;
    Pl_Buffer filtered("");
    const bool spans = names_actual_text(source.getPageContents());
    if (spans) source.filterContents(&ends, &filtered);
    if (!ends.moved() && !wrong_maps) return "";

    QPDF copy;
    copy.emptyPDF();
    copy.addPage(source.getObjectHandle(), true);
    QPDFObjectHandle copied = copy.getAllPages().front();
    if (ends.moved())
      copied.replaceKey("/Contents", QPDFObjectHandle::newStream(
                                         &copy, bytes_of(filtered.getBufferSharedPointer())));
    for (const std::string& key : keys_of_wrong_maps(copied))
      fonts_of(copied).getKey(key).removeKey("/ToUnicode");
    QPDFWriter writer(copy);
    writer.setOutputMemory();
    writer.setStreamDataMode(qpdf_s_preserve);
    writer.write();
    return bytes_of(writer.getBufferSharedPointer());
  } catch (const std::exception&) {
    return "";  // what cannot be parsed is read as it is
  }
}

}  // namespace docspec
