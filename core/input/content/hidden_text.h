#pragma once

#include <string>

class QPDF;
class QPDFPageObjectHelper;

namespace docspec {

/// Whether nearly all letters of a page (from 1) are not seen: they are written without ink (`3
/// Tr`, PDF 32000-1, 9.3.6), or a picture of the whole page lies over them. So scanners and OCR
/// programs add the text of a scan. False where the file cannot be read this way.
bool hides_text(QPDF& pdf, int page);

/// The `content` of a page with its unseen letters lifted off it: upright ones that lie wholly
/// outside of what the content clips to, as those of a placed page of which a part is shown, and
/// ones without ink where most text is seen and no picture is drawn, so that it is no scan. Text
/// that begins where the clip of the text before it ends becomes a word of its own: a table's cell
/// cuts what is too long for it, and the next cell's text follows at once. Empty where nothing
/// changes. Text of forms (/XObject) stays as it is.
std::string seen_content(QPDFPageObjectHelper page, const std::string& content);

}  // namespace docspec
