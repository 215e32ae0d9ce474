#define POINTERHOLDER_TRANSITION 4  // QPDF's headers warn without it
#include "core/input/mended_page.h"

#include <fmt/format.h>

#include <array>
#include <exception>
#include <map>
#include <memory>
#include <qpdf/Buffer.hh>
#include <qpdf/Pl_Buffer.hh>
#include <qpdf/Pl_QPDFTokenizer.hh>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFObjectHandle.hh>
#include <qpdf/QPDFPageObjectHelper.hh>
#include <qpdf/QPDFWriter.hh>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/input/bitmaps/bitmap_text.h"
#include "core/input/content/hidden_text.h"
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

/// The codes that the glyphs of a bitmap font of dvips have in TeX's font, by their codes in the
/// file: its names are these codes, as a character or in digits. -1 = no glyph; empty where the
/// names are of another kind.
std::vector<int> tex_codes_of_names(QPDFObjectHandle font) {
  QPDFObjectHandle kind = font.getKey("/Subtype");
  if (!kind.isName() || kind.getName() != "/Type3") return {};
  std::vector<int> codes(256, -1);
  for (const auto& [code, name] : named_codes(font.getKey("/Encoding"))) {
    const bool digits =
        name.size() <= 3 && name.find_first_not_of("0123456789") == std::string::npos;
    if (code < 0 || code > 255 || name.empty() || (name.size() > 1 && !digits)) return {};
    codes[size_t(code)] = name.size() > 1 ? std::stoi(name) & 0xFF : uint8_t(name[0]);
  }
  return codes;
}

/// The map of a bitmap font of dvips for text, for which the file has none or one without the
/// ligatures; empty for other fonts and where no ligature is.
std::string map_of_bitmaps(QPDFObjectHandle font) {
  constexpr int kFirstLigature = 11, kLastLigature = 15;
  const std::vector<int> codes = tex_codes_of_names(font);
  size_t letters = 0, ligatures = 0, marks = 0;
  for (const int code : codes) {
    letters += code >= 'a' && code <= 'z';
    ligatures += code >= kFirstLigature && code <= kLastLigature;
    marks += code == '-' || code == ',' || code == '.' || code == '(';  // other signs in formulas
  }
  constexpr size_t kLeastLetters = 10, kLeastMarks = 2;
  if (letters < kLeastLetters || ligatures == 0 || marks < kLeastMarks) return "";
  std::array<uint32_t, 256> text{};
  for (size_t code = 0; code < codes.size(); ++code)
    if (codes[code] >= 0)
      if (const auto glyph = tex_glyph("CMR10", unsigned(codes[code]))) text[code] = glyph->letter;
  return map_of_letters(text);
}

/// The map of a font for text whose ligatures are named after control characters, as Elsevier's
/// typesetters named TeX's codes ("FF" = 12 = "fi"), with these ligatures; empty for other fonts.
std::string map_with_ligatures(QPDFObjectHandle font) {
  static const std::map<std::string, std::string> kLigatures = {{"VT", "00660066"},
                                                                {"FF", "00660069"},
                                                                {"CR", "0066006C"},
                                                                {"SO", "006600660069"},
                                                                {"SI", "00660066006C"}};
  static const std::set<std::string> kMarks = {"hyphen", "comma", "period", "parenleft"};
  std::vector<std::pair<long long, std::string>> found;  // codes and letters
  size_t marks = 0;                                      // which fonts for formulas lack
  for (const auto& [code, name] : named_codes(font.getKey("/Encoding"))) {
    const auto ligature = kLigatures.find(name);
    marks += kMarks.count(name);
    if (ligature != kLigatures.end() && code >= 0 && code < 256)
      found.emplace_back(code, ligature->second);
  }
  if (found.empty() || marks < 2) return "";
  std::string map = docspec::bytes_of(font.getKey("/ToUnicode"));
  const size_t end = map.rfind("endcmap");
  if (end == std::string::npos) return "";
  const auto mapped = letters_of_map(map);
  std::string added;
  for (const auto& [own, letters] : found)
    if (mapped[size_t(own)] == 0)
      added += fmt::format("1 beginbfchar\n<{:02X}> <{}>\nendbfchar\n", own, letters);
  return added.empty() ? "" : map.insert(end, added);
}

/// A map of a page's font to replace; an empty one goes.
struct MapChange {
  std::string font, map;  ///< the font's name on the page
};

std::vector<MapChange> map_changes(QPDFObjectHandle page) {
  std::vector<MapChange> changes;
  QPDFObjectHandle fonts = fonts_of(page);
  if (!fonts.isDictionary()) return changes;
  for (const std::string& key : fonts.getKeys()) {
    QPDFObjectHandle font = fonts.getKey(key);
    if (!font.isDictionary()) continue;
    if (has_wrong_map(font))
      changes.push_back({key, ""});
    else if (std::string map = map_of_bitmaps(font); !map.empty())
      changes.push_back({key, std::move(map)});
    else if (std::string mended = map_with_ligatures(font); !mended.empty())
      changes.push_back({key, std::move(mended)});
  }
  return changes;
}

/// The content of a page, all of its streams joined.
std::string content_of(QPDFPageObjectHelper& page) {
  std::string content;
  for (QPDFObjectHandle stream : page.getPageContents())
    content += bytes_of(stream.getStreamData(qpdf_dl_generalized)) + "\n";
  return content;
}

/// The content with its spans ended in time; empty where they all are.
std::string with_span_ends(const std::string& content) {
  if (content.find("/ActualText") == std::string::npos) return "";
  SpanEnds ends;
  Pl_Buffer filtered("");
  Pl_QPDFTokenizer tokens("", &ends, &filtered);
  tokens.write(reinterpret_cast<const unsigned char*>(content.data()), content.size());
  tokens.finish();
  return ends.moved() ? bytes_of(filtered.getBufferSharedPointer()) : "";
}

}  // namespace

std::string page_for_text(QPDF& pdf, int page) {
  try {
    const auto& pages = pdf.getAllPages();
    if (page < 1 || size_t(page) > pages.size()) return "";
    const bool named = name_bitmap_fonts(pdf, page);
    QPDFPageObjectHelper source(pages[size_t(page) - 1]);
    const std::vector<MapChange> changes = map_changes(source.getObjectHandle());
    std::string content = content_of(source), changed = seen_content(source, content);
    if (!changed.empty()) content = changed;
    if (std::string ended = with_span_ends(content); !ended.empty()) changed = std::move(ended);
    if (changed.empty() && changes.empty() && !named) return "";

    QPDF copy;
    copy.emptyPDF();
    copy.addPage(source.getObjectHandle(), true);
    QPDFObjectHandle copied = copy.getAllPages().front();
    if (!changed.empty())
      copied.replaceKey("/Contents", QPDFObjectHandle::newStream(&copy, changed));
    for (const MapChange& change : changes) {
      QPDFObjectHandle font = fonts_of(copied).getKey(change.font);
      if (change.map.empty())
        font.removeKey("/ToUnicode");
      else
        font.replaceKey("/ToUnicode", QPDFObjectHandle::newStream(&copy, change.map));
    }
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
