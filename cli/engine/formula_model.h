#pragma once

#include <filesystem>
#include <memory>

#include "drafts/ocr/formulas/formula_reader.h"

namespace docspec {

/// The model in `folder` as a reader of formulas, on the CPU: the region stage with the question
/// for formulas, decoded plain, and asked again where it is unsure (FormulaViews). Throws
/// Error(dependency) where it cannot be loaded.
std::unique_ptr<FormulaReader> make_formula_reader(const std::filesystem::path& folder);

}  // namespace docspec
