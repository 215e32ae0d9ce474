#include "drafts/text/text_layer_drafter.h"

#include "drafts/text/region_text.h"

namespace docspec {
namespace {

class TextLayerDrafter : public Drafter {
 public:
  std::string_view name() const override { return "text-layer"; }
  DrafterRole role() const override { return DrafterRole::text_layer; }

  std::vector<Draft> draft(const PageInput& page, const std::vector<Region>& regions) override {
    return region_drafts(regions, page.text_layer, page.dpi, name());
  }
};

}  // namespace

std::unique_ptr<Drafter> make_text_layer_drafter() {
  return std::make_unique<TextLayerDrafter>();
}

}  // namespace docspec
