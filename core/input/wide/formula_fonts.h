#pragma once

class QPDFObjectHandle;

namespace docspec {

/// Whether fonts with codes of two bytes are of a page's formulas, as Word's is, or of the text
/// around TeX's formulas, as XeTeX has it. `resources`: the page's.
bool has_wide_text(QPDFObjectHandle resources);

/// Whether a page, or a small picture of it, has a font of Word's equations and none of TeX's or of
/// whole formulas.
bool has_equations(QPDFObjectHandle resources);

/// Whether an object is a form, a picture or page within a page.
bool is_form(QPDFObjectHandle object);

}  // namespace docspec
