#include "drafts/detector/page_net.h"

#include <nlohmann/json.hpp>

#include "core/base/error.h"
#include "core/model/checkpoint/checkpoint.h"
#include "drafts/detector/pico_det.h"
#include "drafts/detector/rt_detr.h"

namespace docspec {

std::unique_ptr<PageNet> make_page_net(const std::filesystem::path& folder) {
  const Checkpoint checkpoint(folder);
  const nlohmann::json& type = checkpoint.config().value("model_type", nlohmann::json());
  if (type == "docspec_picodet") return make_pico_det(checkpoint);
  if (type == "rt_detr_v2") return std::make_unique<RtDetr>(checkpoint);
  throw Error(ExitCode::dependency,
              (folder / "config.json").string() + ": model_type is " + type.dump() +
                  ", not a layout detector that docspec reads; give a checkpoint of RT-DETRv2 "
                  "(\"rt_detr_v2\"), such as docling-layout-heron");
}

}  // namespace docspec
