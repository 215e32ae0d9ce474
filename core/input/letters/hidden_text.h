#pragma once

class QPDF;

namespace docspec {

/// Whether nearly all letters of a page (from 1) are not seen: they are written without ink (`3
/// Tr`, PDF 32000-1, 9.3.6), or a picture of the whole page lies over them. So scanners and OCR
/// programs add the text of a scan. False where the file cannot be read this way.
bool hides_text(QPDF& pdf, int page);

}  // namespace docspec
