// The developer's comparison of PP-OCR with transformers and rapidocr (tests/oracle/ppocr_parity).
//   docspec_ppocr rec|det WEIGHTS (WIDTH HEIGHT IN OUT)...  f32 [3, HEIGHT, WIDTH] -> logits or map
//   docspec_ppocr page WEIGHTS SIDE f32|fastest IMAGE...  a JSON line for each image: its lines
#include <ATen/ATen.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "core/input/document_reader.h"
#include "drafts/ocr/ppocr/reader.h"

namespace {

using namespace docspec;
using namespace docspec::ppocr;

std::string read_file(const std::string& name) {
  std::ifstream in(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

int run_net(const std::string& net, int count, char** args) {
  const Nets nets(args[0], Precision::f32);
  for (int i = 1; i + 3 < count; i += 4) {
    const int64_t width = std::stol(args[i]), height = std::stol(args[i + 1]);
    std::string bytes = read_file(args[i + 2]);
    const at::Tensor image = at::from_blob(bytes.data(), {3, height, width});
    const at::Tensor out =
        net == "rec" ? nets.logits(image.unsqueeze(0)).contiguous() : nets.text_map(image);
    std::ofstream(args[i + 3], std::ios::binary)
        .write(static_cast<const char*>(out.data_ptr()), std::streamsize(out.nbytes()));
  }
  return 0;
}

nlohmann::json corners(const LineBox& box) {
  nlohmann::json out;
  const double c = std::cos(box.angle), s = std::sin(box.angle);
  for (const auto& [i, j] : {std::pair(-0.5, -0.5), {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}}) {
    const double u = i * box.width, v = j * box.height;
    out.push_back({box.x + u * c - v * s, box.y + u * s + v * c});
  }
  return out;
}

int read_pages(int count, char** args) {
  ReaderOptions options;
  options.page_side = std::stoi(args[1]);
  if (std::string(args[2]) == "f32") options.precision = Precision::f32;
  const auto reader = make_reader(args[0], options);
  for (int i = 3; i < count; ++i) {
    auto bytes = std::make_shared<InputBytes>();
    bytes->name = args[i];
    bytes->bytes = read_file(args[i]);
    const auto document = open_document(std::move(bytes), "");
    const PageImage image = document->raster(1, 10'000, 100'000'000).image;
    nlohmann::json page = {{"image", args[i]}, {"lines", nlohmann::json::array()}};
    const clock_t start = clock();
    const std::vector<LineBox> boxes = reader->find(image);
    const clock_t found = clock();
    for (const ReadLine& line : reader->read(image, boxes)) {
      nlohmann::json words;
      for (const Word& w : line.words)
        words.push_back({w.text, w.confidence, w.box.x0, w.box.y0, w.box.x1, w.box.y1});
      page["lines"].push_back({{"box", corners(line.box)},
                               {"text", line.text},
                               {"confidence", line.confidence},
                               {"words", words}});
    }
    page["find_s"] = double(found - start) / CLOCKS_PER_SEC;
    page["read_s"] = double(clock() - found) / CLOCKS_PER_SEC;
    std::puts(page.dump().c_str());
  }
  return 0;
}

}  // namespace

int main(int count, char** args) {
  const std::string what = count > 1 ? args[1] : "";
  if ((what == "rec" || what == "det") && count >= 7) return run_net(what, count - 2, args + 2);
  if (what == "page" && count > 5) return read_pages(count - 2, args + 2);
  std::fputs("usage: see the top of tests/oracle/ppocr.cc\n", stderr);
  return 1;
}
