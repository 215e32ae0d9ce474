#pragma once

#include <map>
#include <string>

namespace docspec {

/// How to compare the surety of a model with that of OCR where they read a word differently: the
/// log-odds that OCR is right and the model wrong are bias + confidence * logit(OCR's confidence)
/// + margin * (the model's margin in nats). Measured once for a model and an OCR engine by
/// `tests/bench/letters_scans` on pages with known text.
struct Surety {
  double bias = 0, confidence = 0, margin = 0;
  double lone = 0;  ///< nats; words that the model alone sees stand from this margin on

  /// Probability that OCR's reading is the right one. `confidence`: OCR's, 0..1, the least of the
  /// words; `margin`: the model's, the least of the tokens.
  double of_ocr(double confidence, double margin) const;
};

/// By the name of the OCR engine; a model without an entry was not measured.
using SuretyByOcr = std::map<std::string, Surety>;

}  // namespace docspec
