#include "core/model/vlm.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "core/base/error.h"
#include "core/model/draft_tree.h"
#include "core/model/prompt_set.h"
#include "core/text/tokenizer.h"

namespace docspec {

Vlm::Vlm(VlmInfo info, Parts parts, std::unique_ptr<Tokenizer> tokenizer, PromptSet prompts)
    : info_(std::move(info)),
      parts_(std::move(parts)),
      tokenizer_(std::move(tokenizer)),
      prompts_(std::make_unique<PromptSet>(std::move(prompts))) {
  const auto known = tokenizer_->id_of(prompts_->image_token());
  if (!parts_.image_token) parts_.image_token = known;
  if (!known)
    throw Error(ExitCode::dependency, "tokenizer.json: there is no token '" +
                                          prompts_->image_token() + "', the image's placeholder");
  if (prompts_->asks("pages") && !parts_.pages_processor)
    throw Error(ExitCode::dependency,
                "questions: 'pages': the family " + info_.family + " reads one page a prompt");
}
Vlm::Vlm(Vlm&&) noexcept = default;
Vlm::~Vlm() = default;

int64_t Vlm::visual_tokens(std::span<const PageImage* const> images) const {
  const auto& processor = images.size() > 1 ? parts_.pages_processor : parts_.image_processor;
  int64_t tokens = 0;
  for (const PageImage* image : images)
    tokens += processor->visual_tokens(image->width_px(), image->height_px());
  return tokens;
}

std::vector<int32_t> Vlm::prompt_ids(const PageImage* image, std::string_view question) const {
  return prompt_ids(
      image ? parts_.image_processor->visual_tokens(image->width_px(), image->height_px()) : 0,
      question);
}

std::vector<int32_t> Vlm::prompt_ids(int64_t visual_rows, std::string_view question) const {
  const std::vector<int32_t> ids = tokenizer_->encode(prompts_->chat(visual_rows > 0, question));
  if (visual_rows == 0) return ids;
  std::vector<int32_t> out;
  for (int32_t id : ids)
    out.insert(out.end(), id == parts_.image_token ? size_t(visual_rows) : 1, id);
  return out;
}

VisualRows Vlm::encode_image(const PageImage& image) const {
  return encode_with(*parts_.image_processor, image);
}

VisualRows Vlm::encode_images(std::span<const PageImage* const> images) const {
  if (images.size() == 1) return encode_image(*images[0]);
  std::vector<at::Tensor> rows;
  for (const PageImage* image : images)
    rows.push_back(encode_with(*parts_.pages_processor, *image).rows);
  const at::Tensor all = at::cat(rows);
  return {all, all.size(0), 1};
}

VisualRows Vlm::encode_with(const ImageProcessor& processor, const PageImage& image) const {
  const Patches patches = processor(image);
  VisualRows out{parts_.vision->encode(patches), 0, 0};
  const int64_t merge = processor.config().merge;
  out.height = patches.grid.h / merge;
  out.width = patches.grid.w / merge;
  if (parts_.axes == RopeAxes::four) {
    ++out.width;  // each row ends with a newline
  } else if (out.height * out.width != out.rows.size(0)) {
    out.height = out.rows.size(0);
    out.width = 1;
  }
  return out;
}

VisualRows pooled(const VisualRows& image) {
  if (image.height * image.width != image.rows.size(0))
    throw std::invalid_argument("pooled: the image's rows are no raster");
  const bool raster = image.width > 1 || image.height == 1;
  const std::array<int64_t, 2> size =
      raster ? std::array<int64_t, 2>{2, 2} : std::array<int64_t, 2>{4, 1};
  const at::Tensor planes =
      image.rows.to(at::kFloat).t().reshape({1, image.rows.size(1), image.height, image.width});
  const at::Tensor means = at::avg_pool2d(planes, size, size, 0, true, false);
  return {means.flatten(2).squeeze(0).t().contiguous().to(image.rows.scalar_type()), means.size(2),
          means.size(3)};
}

Prefilled Vlm::prefill(const PageImage* image, std::span<const int32_t> prompt_ids) const {
  if (!image) return prefill_encoded(nullptr, prompt_ids);
  const VisualRows visual = encode_image(*image);
  return prefill_encoded(&visual, prompt_ids);
}

Prefilled Vlm::prefill_encoded(const VisualRows* visual, std::span<const int32_t> prompt_ids,
                               bool keep_hidden) const {
  if (prompt_ids.empty()) throw std::invalid_argument("Vlm::prefill: an empty prompt");
  const Trunk& trunk = *parts_.trunk;
  at::Tensor embeds = trunk.embed(prompt_ids);
  auto cache = trunk.new_cache();
  cache->keep_hidden = keep_hidden;
  cache->prompt_end = int64_t(prompt_ids.size());
  PatchGrid grid{1, 0, 0};
  if (visual) {
    const at::Tensor& rows = visual->rows;
    grid = {1, visual->height, visual->width};
    if (parts_.axes == RopeAxes::one) grid = {1, rows.size(0), 1};
    const auto first = std::find(prompt_ids.begin(), prompt_ids.end(), *parts_.image_token);
    cache->visual_begin = first - prompt_ids.begin();
    cache->visual_end = cache->visual_begin + rows.size(0);
    if (cache->visual_end >= int64_t(prompt_ids.size()))
      throw std::invalid_argument("Vlm::prefill: the prompt has too few image placeholders");
    embeds = at::constant_pad_nd(embeds, {0, rows.size(1) - embeds.size(1)});
    embeds.narrow(0, cache->visual_begin, rows.size(0)).copy_(rows);
  }
  RopePositions positions =
      rope_positions(parts_.axes, prompt_ids, *parts_.image_token, grid.h, grid.w);
  // The last prompt id goes through forward, as every later token does: its row is the first draft
  // tree, of one row.
  const int64_t n = int64_t(prompt_ids.size()) - 1;
  std::vector<int64_t> axes;
  for (int64_t axis = 0; axis < int64_t(positions.axes.size()) / (n + 1); ++axis) {
    const auto from = positions.axes.begin() + axis * (n + 1);
    axes.insert(axes.end(), from, from + n);
  }
  cache->rope_delta = positions.delta;
  trunk.prefill(*cache, embeds.narrow(0, 0, n), axes);
  const DraftTree last(prompt_ids.back());
  const SequenceInput job{&last, cache.get(), nullptr};
  at::Tensor logits = trunk.forward(std::span(&job, 1), {});
  const int32_t row = 0;
  cache->commit(std::span(&row, 1));
  return {std::move(cache), std::move(logits), std::move(positions)};
}

RopePositions rope_positions(RopeAxes kind, std::span<const int32_t> ids, int32_t image_token,
                             int64_t rows, int64_t columns) {
  const size_t n = ids.size(), edge = kind == RopeAxes::four ? 1 : 0;
  const size_t image = rows > 0 ? size_t(rows * columns) + 2 * edge : 0;
  RopePositions out;
  out.axes.resize((3 + edge) * n);
  int64_t next = 0;
  bool seen = false;
  for (size_t i = 0; i < n;) {
    const bool visual = ids[i] == image_token && image > 0;
    const size_t run = visual ? image : 1;
    if (i + run > n || (visual && seen) ||
        (visual && !std::all_of(ids.begin() + int64_t(i), ids.begin() + int64_t(i + run),
                                [&](int32_t id) { return id == image_token; })))
      throw std::invalid_argument(
          fmt::format("prompt: the image placeholders are not one run of {}", image));
    const bool counts = kind != RopeAxes::three;  // a visual row moves the first axis on
    for (size_t r = 0; r < run; ++r) {
      const auto at = int64_t(r);  // 0 but in an image
      for (size_t axis = 0; axis < 3 + edge; ++axis)
        out.axes[axis * n + i + r] = next + (counts ? at : 0);
      if (!visual || kind == RopeAxes::one) continue;
      if (kind == RopeAxes::three) {
        out.axes[n + i + r] += at / columns;
        out.axes[2 * n + i + r] += at % columns;
      } else if (r >= edge && r + edge < run) {
        out.axes[n + i + r] = (at - 1) % columns;
        out.axes[2 * n + i + r] = (at - 1) / columns;
        out.axes[3 * n + i + r] = 0;
      }
    }
    next += counts ? int64_t(run) : visual ? std::max(rows, columns) : 1;
    seen = seen || visual;
    i += run;
  }
  out.delta = next - int64_t(n);
  return out;
}

}  // namespace docspec
