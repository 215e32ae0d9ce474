#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace docspec {

/// docspec's data (families, models): PREFIX/share/docspec beside an installed PREFIX/bin/docspec,
/// or the source tree's share/ for a binary in its build tree; nothing when neither is there.
std::optional<std::filesystem::path> share_folder();

/// The weights of PP-OCR that packaging/deps --ocr installs: docspec/ocr/ppocr in $XDG_DATA_HOME
/// (default ~/.local/share), else ocr/ppocr in share_folder(); empty when neither is there.
std::filesystem::path ppocr_folder();

/// The weights of the layout detector PicoDet, likewise: layout/picodet.
std::filesystem::path picodet_folder();
/// The weights of the net of tables SLANet_plus, likewise: table/slanet.
std::filesystem::path slanet_folder();

/// The folder of model_folder("builtin"), whose model reads formulas for the drafts; empty when it
/// is not there.
std::filesystem::path builtin_model_folder();

/// Has Tesseract read the languages in share_folder()/tessdata, which a Python package brings,
/// unless TESSDATA_PREFIX names others.
void use_own_tessdata();

/// The checkpoint folder that `--model` or `--draft model:` names: "builtin" and its sibling
/// "builtin-draft" are docspec's own in its data. Throws Error(dependency) when there is no such
/// folder.
std::filesystem::path model_folder(const std::string& model);

}  // namespace docspec
