// The developer's comparison of layout detectors with onnxruntime and transformers
// (tests/oracle/detector_parity).
//   docspec_detector net FOLDER HEIGHT WIDTH IN OUT...  f32 [3, HEIGHT, WIDTH] -> logits and boxes
//   docspec_detector pages FOLDER IMAGE...              a JSON line for each image: its regions
//   docspec_detector tables FOLDER IMAGE...             a JSON line for each image: its cells
#include <ATen/ATen.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error.h"
#include "core/input/document_reader.h"
#include "core/model/checkpoint/checkpoint.h"
#include "drafts/detector/rt_detr.h"
#include "drafts/detector/tables/table_net.h"

namespace {

using namespace docspec;

std::string file_text(const std::string& name) {
  std::ifstream in(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

int run_net(char** args) {
  const RtDetr net{Checkpoint(args[0])};
  std::string bytes = file_text(args[3]);
  const auto [logits, boxes] =
      net.run(at::from_blob(bytes.data(), {3, std::stol(args[1]), std::stol(args[2])}));
  const at::Tensor out = at::cat({logits, boxes}, 1).contiguous();
  std::ofstream(args[4], std::ios::binary)
      .write(static_cast<const char*>(out.data_ptr()), std::streamsize(out.nbytes()));
  return 0;
}

PageImage read_image(const char* name) {
  auto bytes = std::make_shared<InputBytes>();
  bytes->name = name;
  bytes->bytes = file_text(name);
  return open_document(std::move(bytes), "")->raster(1, 10'000, 100'000'000).image;
}

int read_tables(int count, char** args) {
  const auto net = make_table_net(args[0]);
  for (int i = 1; i < count; ++i) {
    const PageImage image = read_image(args[i]);
    const auto start = std::chrono::steady_clock::now();
    const SeenTable seen = net->read(image);
    const std::chrono::duration<double, std::milli> taken =
        std::chrono::steady_clock::now() - start;
    nlohmann::json table = {{"image", args[i]},
                            {"ms", taken.count()},
                            {"rows", seen.rows},
                            {"columns", seen.columns},
                            {"score", seen.score},
                            {"complete", seen.complete},
                            {"cells", nlohmann::json::array()}};
    for (const GridCell& cell : seen.cells)
      table["cells"].push_back({cell.row, cell.column, cell.row_span, cell.column_span, cell.box.x0,
                                cell.box.y0, cell.box.x1, cell.box.y1});
    std::printf("%s\n", table.dump().c_str());
  }
  return 0;
}

int find_regions(int count, char** args) {
  const auto net = make_page_net(args[0]);
  for (int i = 1; i < count; ++i) {
    const PageImage image = read_image(args[i]);
    const auto start = std::chrono::steady_clock::now();
    const std::vector<FoundRegion> regions = net->find(image);
    const std::chrono::duration<double, std::milli> taken =
        std::chrono::steady_clock::now() - start;
    nlohmann::json page = {
        {"image", args[i]}, {"ms", taken.count()}, {"regions", nlohmann::json::array()}};
    for (const FoundRegion& region : regions)
      page["regions"].push_back(
          {{"kind", name(region.kind)},
           {"score", region.score},
           {"box", {region.box.x0, region.box.y0, region.box.x1, region.box.y1}}});
    std::printf("%s\n", page.dump().c_str());
  }
  return 0;
}

}  // namespace

int main(int count, char** args) {
  try {
    const std::string mode = count > 2 ? args[1] : "";
    if (mode == "net" && count == 7) return run_net(args + 2);
    if (mode == "tables") return read_tables(count - 2, args + 2);
    if (mode == "pages") return find_regions(count - 2, args + 2);
    std::fprintf(stderr, "docspec_detector net|pages|tables FOLDER ...\n");
    return 2;
  } catch (const Error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return int(e.code());
  }
}
