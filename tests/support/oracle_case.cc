#include "tests/support/oracle_case.h"

#include <ATen/ATen.h>
#include <allheaders.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "core/model/draft_tree.h"
#include "core/model/prompt_set.h"
#include "core/ops/ops.h"
#include "core/page/pix_ptr.h"

namespace docspec::test {
namespace {

double largest_difference(const at::Tensor& a, const at::Tensor& b) {
  if (a.sizes() != b.sizes()) return std::numeric_limits<double>::infinity();
  return (a.to(at::kCPU, at::kDouble) - b.to(at::kDouble)).abs().max().item<double>();
}

double rms_difference(const at::Tensor& a, const at::Tensor& b) {
  if (a.sizes() != b.sizes()) return std::numeric_limits<double>::infinity();
  return (a.to(at::kCPU, at::kDouble) - b.to(at::kDouble)).square().mean().sqrt().item<double>();
}

}  // namespace

OracleCase::OracleCase(const std::filesystem::path& folder)
    : folder_(folder),
      expected_(folder / "expected"),
      question_(expected_.config().at("question").get<std::string>()),
      logit_stride_(expected_.config().at("logit_stride").get<int64_t>()),
      pixel_stride_(expected_.config().value("pixel_stride", int64_t{1})) {
  while (expected_.has(std::to_string(pages_) + ".page") || exists(png_of(pages_))) ++pages_;
}

std::filesystem::path OracleCase::png_of(int page) const {
  return folder_ / "expected" / (std::to_string(page) + ".page.png");
}

at::Tensor OracleCase::stage(int page, const std::string& name) const {
  const std::string key = (page == kBothPages ? "both" : std::to_string(page)) + "." + name;
  if (!expected_.has(key + ".codes")) return expected_.tensor(key);
  // Bytes of three channels and what they stand for, as make_checkpoint --compact stores pixels.
  const at::Tensor codes = expected_.tensor(key + ".codes").to(at::kLong).unflatten(1, {3, -1});
  const at::Tensor levels = expected_.tensor(key + ".levels");
  std::vector<at::Tensor> channels;
  for (int64_t c = 0; c < 3; ++c) channels.push_back(levels[c].take(codes.select(1, c)));
  return at::cat(channels, 1);
}

bool OracleCase::has_both_pages() const {
  return expected_.has("both.prompt_ids");
}

PageImage OracleCase::page(int page) const {
  if (exists(png_of(page))) {  // as make_checkpoint --compact stores pages
    const PixPtr pix(pixRead(png_of(page).c_str()));
    PageImage image(page + 1, pixGetWidth(pix.get()), pixGetHeight(pix.get()), 72);
    for (int y = 0; y < image.height_px(); ++y)
      for (int x = 0; x < image.width_px(); ++x) {
        l_int32 red = 0, green = 0, blue = 0;
        pixGetRGBPixel(pix.get(), x, y, &red, &green, &blue);
        uint8_t* const rgb = image.row(y) + 3 * x;
        rgb[0] = uint8_t(red), rgb[1] = uint8_t(green), rgb[2] = uint8_t(blue);
      }
    return image;
  }
  const at::Tensor pixels = stage(page, "page").contiguous();
  PageImage image(page + 1, int(pixels.size(1)), int(pixels.size(0)), 72);
  std::memcpy(image.row(0), pixels.const_data_ptr<uint8_t>(), size_t(pixels.numel()));
  return image;
}

double OracleCase::bf16_distance(const std::string& stage) const {
  return expected_.config().at("bf16_distance").at(stage).get<double>();
}

std::vector<int32_t> OracleCase::ids(int page, const std::string& name) const {
  const at::Tensor ids = stage(page, name).to(at::kInt).contiguous();
  return {ids.const_data_ptr<int32_t>(), ids.const_data_ptr<int32_t>() + ids.numel()};
}

DraftTree chain(std::span<const int32_t> tokens) {
  DraftTree tree(tokens[0]);
  tree.insert(tokens.subspan(1), 0, 0, tokens.size());
  return tree;
}

at::Tensor step(const LanguageModel& lm, KvCache& cache, int32_t token) {
  const DraftTree tree(token);
  const SequenceInput job{&tree, &cache, nullptr};
  const at::Tensor logits = lm.forward(std::span(&job, 1), {});
  const int32_t row = 0;
  cache.commit(std::span(&row, 1));
  return logits;
}

namespace {

/// What follows vision: logits behind the prompt and forced ids, and greedy ids.
void compare_text(const Vlm& vlm, const OracleCase& oracle, int page, const VisualRows& visual,
                  Parity& out) {
  const std::vector<int32_t> prompt = oracle.ids(page, "prompt_ids");
  {
    const Prefilled start = vlm.prefill_encoded(&visual, prompt);
    const DraftTree tree = chain(oracle.ids(page, "forced_ids"));
    const SequenceInput job{&tree, start.cache.get(), nullptr};
    const at::Tensor first = start.logits.clone();  // they are valid until the next forward
    const at::Tensor rows = at::cat({first, vlm.language_model().forward(std::span(&job, 1), {})})
                                .slice(0, 0, std::nullopt, oracle.logit_stride());
    out.logits = largest_difference(rows, oracle.stage(page, "logits"));
    out.logits_rms = rms_difference(rows, oracle.stage(page, "logits"));
  }
  Prefilled greedy = vlm.prefill_encoded(&visual, prompt);
  for (int32_t wanted : oracle.ids(page, "greedy_ids")) {
    const auto best = greedy.logits.argmax(1).item<int64_t>();
    if (best != wanted) {
      const auto top = std::get<0>(greedy.logits.topk(2, 1));
      out.divergence_margin = (top.select(1, 0) - top.select(1, 1)).item<double>();
      break;
    }
    ++out.greedy_equal;
    greedy.logits = step(vlm.language_model(), *greedy.cache, wanted);
  }
}

}  // namespace

Parity compare(const Vlm& vlm, const OracleCase& oracle, int page) {
  Parity out;
  const PageImage image = oracle.page(page);
  out.prompt_ids = vlm.prompt_ids(&image, oracle.question()) == oracle.ids(page, "prompt_ids");

  const Patches patches = vlm.image_processor()(image);
  out.pixel_values =
      largest_difference(patches.values.slice(0, 0, std::nullopt, oracle.pixel_stride()),
                         oracle.stage(page, "pixel_values"));
  const at::Tensor vision = vlm.vision().encode(patches);
  out.vision = largest_difference(vision, oracle.stage(page, "vision"));
  out.vision_rms = rms_difference(vision, oracle.stage(page, "vision"));
  compare_text(vlm, oracle, page, vlm.encode_image(image), out);
  return out;
}

Parity compare_both_pages(const Vlm& vlm, const OracleCase& oracle) {
  constexpr int kBoth = OracleCase::kBothPages;
  Parity out;
  const PageImage first = oracle.page(0), second = oracle.page(1);
  const PageImage* const images[] = {&first, &second};
  out.prompt_ids = vlm.prompt_ids(vlm.visual_tokens(images), vlm.prompts().question("pages")) ==
                   oracle.ids(kBoth, "prompt_ids");
  const VisualRows visual = vlm.encode_images(images);
  out.vision = largest_difference(visual.rows, oracle.stage(kBoth, "vision"));
  out.vision_rms = rms_difference(visual.rows, oracle.stage(kBoth, "vision"));
  compare_text(vlm, oracle, kBoth, visual, out);
  return out;
}

}  // namespace docspec::test
