#include "drafts/registry.h"

#include "drafts/ocr/auto_ocr.h"
#include "drafts/ocr/ppocr_drafter.h"
#include "drafts/ocr/tesseract_drafter.h"
#include "drafts/regions/line_layout.h"
#include "drafts/replay/replay_drafter.h"
#include "drafts/text/text_layer_drafter.h"

namespace docspec {
namespace {

constexpr Entry<MakeDrafter> kDrafters[] = {
    {"text-layer",
     "the words of the PDF itself, where they can be trusted; with OCR in the list a scan is read "
     "anew",
     "poppler", true, [](const DrafterConfig&) { return make_text_layer_drafter(); }, "", true},
    {"ocr", "PP-OCR where it is installed and reads the page's script, else Tesseract", "drafts.md",
     true, [](const DrafterConfig& config) { return make_auto_ocr(config.lang, config.ppocr); }, "",
     true},
    {"tesseract", "OCR by Tesseract on the CPU", "tesseract", true,
     [](const DrafterConfig& config) {
       return config.lang == "auto" ? make_auto_ocr(config.lang, {})
                                    : make_tesseract_drafter(config.lang);
     }},
    {"ppocr", "OCR by PP-OCRv6 small: Latin letters, Chinese, Japanese (packaging/deps --ocr)",
     "ppocr", true,
     [](const DrafterConfig& config) -> std::unique_ptr<Drafter> {
       return std::make_unique<PpOcrDrafter>(config.ppocr);
     }},
    {"replay",
     "drafts written before: docspec draft, hOCR, PP-StructureV3, MinerU; of a folder each input "
     "takes SHA256.json",
     "", true, [](const DrafterConfig& config) { return make_replay_drafter(config.replay); },
     "FILE"},
};

constexpr Entry<MakeDetector> kDetectors[] = {
    {"lines", "regions from lines of words by rules", "drafts.md", true,
     [](const DrafterConfig&) { return make_line_layout(); }},
    {"pictures", "the same; nets see drawings and read tables of scans (packaging/deps --ocr)",
     "picodet", true,
     [](const DrafterConfig& config) {
       return make_line_layout(config.picture_net, config.table_net);
     },
     "", true},
    {"net", "the same, told apart by a small net (share/models/layout)", "drafts.md", true,
     [](const DrafterConfig& config) { return make_net_layout(config.layout_net()); }},
    {"regions", "the same, told apart by a published detector: RT-DETRv2", "rt-detrv2", true,
     [](const DrafterConfig& config) { return make_region_layout(config.region_net); }, "FOLDER"},
};

}  // namespace

std::span<const Entry<MakeDrafter>> drafter_registry() {
  return kDrafters;
}
std::span<const Entry<MakeDetector>> detector_registry() {
  return kDetectors;
}

}  // namespace docspec
