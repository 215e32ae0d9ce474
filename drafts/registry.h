#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "core/base/registry.h"
#include "core/document/drafter.h"
#include "core/document/drafts_json.h"

namespace docspec {

/// The settings of drafters and detectors; each uses those that it needs.
struct DrafterConfig {
  std::string lang = "eng";                  ///< "auto", or as Tesseract writes them: "eng+deu"
  std::shared_ptr<const DraftsFile> replay;  ///< for "replay", shared by the worker threads
  std::filesystem::path layout_net;          ///< folder of the checkpoint for the detector "net"
  std::filesystem::path ppocr;               ///< folder of PP-OCR's weights; empty = not installed
};

using MakeDrafter = std::unique_ptr<Drafter> (*)(const DrafterConfig& config);
using MakeDetector = std::unique_ptr<LayoutDetector> (*)(const DrafterConfig& config);

/// Page drafters: text-layer, ocr, tesseract, ppocr, replay.
std::span<const Entry<MakeDrafter>> drafter_registry();
/// Layout detectors: lines, net.
std::span<const Entry<MakeDetector>> detector_registry();

}  // namespace docspec
