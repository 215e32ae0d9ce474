#define POINTERHOLDER_TRANSITION 4  // QPDF's headers warn without it
#include "core/input/wide/formula_fonts.h"

#include <algorithm>
#include <qpdf/QPDFObjectHandle.hh>
#include <string>

#include "core/input/letters/byte_font.h"
#include "core/input/letters/symbol_fonts.h"
#include "core/input/wide/wide_font.h"

namespace docspec {
namespace {

bool has_equation_fonts(QPDFObjectHandle resources, bool page) {
  constexpr size_t kMost = 200;
  QPDFObjectHandle fonts = entry(resources, "/Font"), pictures = entry(resources, "/XObject");
  bool own = false;
  if (fonts.isDictionary())
    for (const std::string& key : fonts.getKeys()) {
      const std::string name = base_font_name(fonts.getKey(key));
      if (is_tex_math(name) || !upright_name(name).empty()) return false;
      own |= is_equation_font(name);
    }
  if (own || !page || !pictures.isDictionary()) return own;
  const auto keys = pictures.getKeys();
  return keys.size() < kMost && std::any_of(keys.begin(), keys.end(), [&](const auto& key) {
           QPDFObjectHandle form = pictures.getKey(key);
           return is_form(form) && has_equation_fonts(form.getDict().getKey("/Resources"), false);
         });
}

}  // namespace

bool has_wide_text(QPDFObjectHandle resources) {
  QPDFObjectHandle fonts = entry(resources, "/Font");
  if (!fonts.isDictionary()) return false;
  bool tex = false, wide = false;
  for (const std::string& key : fonts.getKeys()) {
    const std::string name = base_font_name(fonts.getKey(key));
    const bool own = entry(fonts.getKey(key), "/DescendantFonts").isArray();
    if (own && !upright_name(name).empty()) return true;
    wide |= own;
    tex |= !own && is_tex_math(name);
  }
  return tex && wide;
}

bool has_equations(QPDFObjectHandle resources) {
  return has_equation_fonts(resources, true);
}

bool is_form(QPDFObjectHandle object) {
  if (!object.isStream()) return false;
  QPDFObjectHandle kind = object.getDict().getKey("/Subtype");
  return kind.isName() && kind.getName() == "/Form";
}

}  // namespace docspec
