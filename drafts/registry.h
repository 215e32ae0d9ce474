#pragma once

#include <functional>
#include <memory>
#include <string>

#include "core/base/registry.h"
#include "core/document/drafter.h"
#include "core/document/drafts_json.h"
#include "drafts/detector/line_net.h"
#include "drafts/detector/page_net.h"
#include "drafts/detector/tables/table_net.h"
#include "drafts/ocr/formulas/formula_reader.h"
#include "drafts/ocr/ppocr/reader.h"

namespace docspec {

/// The settings of drafters and detectors; each uses those that it needs.
struct DrafterConfig {
  std::string lang = "eng";                  ///< "auto", or as Tesseract writes them: "eng+deu"
  std::shared_ptr<const DraftsFile> replay;  ///< for "replay", shared by the worker threads
  /// Opens the net of the detector "net".
  std::function<std::unique_ptr<LineNet>()> layout_net;
  OpenPageNet picture_net;     ///< of the detector "pictures"; empty = not installed
  OpenTableNet table_net;      ///< reads tables for it; empty = not installed
  OpenPageNet region_net;      ///< of the detector "regions"
  ppocr::OpenReader ppocr;     ///< empty = not installed
  OpenFormulaReader formulas;  ///< reads display formulas of images; empty = none does
};

using MakeDrafter = std::unique_ptr<Drafter> (*)(const DrafterConfig& config);
using MakeDetector = std::unique_ptr<LayoutDetector> (*)(const DrafterConfig& config);

/// Page drafters: text-layer, ocr, tesseract, ppocr, replay.
std::span<const Entry<MakeDrafter>> drafter_registry();
/// Layout detectors: lines, pictures, net, regions.
std::span<const Entry<MakeDetector>> detector_registry();

}  // namespace docspec
