#include "core/model/vlm.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "core/decode/draft_tree.h"
#include "core/error.h"
#include "core/model/prompt_set.h"
#include "core/text/tokenizer.h"

namespace docspec {

Vlm::Vlm(VlmInfo info, Parts parts, std::unique_ptr<Tokenizer> tokenizer, PromptSet prompts)
    : info_(std::move(info)),
      parts_(std::move(parts)),
      tokenizer_(std::move(tokenizer)),
      prompts_(std::make_unique<PromptSet>(std::move(prompts))) {
  if (parts_.image_token) return;
  parts_.image_token = tokenizer_->id_of(prompts_->image_token());
  if (!parts_.image_token)
    throw Error(ExitCode::dependency, "tokenizer.json: there is no token '" +
                                          prompts_->image_token() + "', the image's placeholder");
}
Vlm::Vlm(Vlm&&) noexcept = default;
Vlm::~Vlm() = default;

std::vector<int32_t> Vlm::prompt_ids(const PageImage* image, std::string_view question) const {
  const std::vector<int32_t> ids = tokenizer_->encode(prompts_->chat(image != nullptr, question));
  if (!image) return ids;
  const int64_t visual =
      parts_.image_processor->visual_tokens(image->width_px(), image->height_px());
  std::vector<int32_t> out;
  for (int32_t id : ids) out.insert(out.end(), id == parts_.image_token ? size_t(visual) : 1, id);
  return out;
}

Prefilled Vlm::prefill(const PageImage* image, std::span<const int32_t> prompt_ids) const {
  if (prompt_ids.empty()) throw std::invalid_argument("Vlm::prefill: an empty prompt");
  const Trunk& trunk = *parts_.trunk;
  at::Tensor embeds = trunk.embed(prompt_ids);
  auto cache = trunk.new_cache();
  PatchGrid grid{1, 0, 0};
  if (image) {
    const Patches patches = (*parts_.image_processor)(*image);
    const at::Tensor visual = parts_.vision->encode(patches);
    const int64_t merge = parts_.image_processor->config().merge;
    grid = {1, patches.grid.h / merge, patches.grid.w / merge};
    if (parts_.axes == RopeAxes::one) grid = {1, visual.size(0), 1};
    if (parts_.axes == RopeAxes::four) ++grid.w;  // each row ends with a newline
    const auto first = std::find(prompt_ids.begin(), prompt_ids.end(), *parts_.image_token);
    cache->visual_begin = first - prompt_ids.begin();
    cache->visual_end = cache->visual_begin + visual.size(0);
    if (cache->visual_end >= int64_t(prompt_ids.size()))
      throw std::invalid_argument("Vlm::prefill: the prompt has too few image placeholders");
    embeds = at::constant_pad_nd(embeds, {0, visual.size(1) - embeds.size(1)});
    embeds.narrow(0, cache->visual_begin, visual.size(0)).copy_(visual);
  }
  const RopePositions positions =
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
  const PassJob job{&last, cache.get(), nullptr};
  at::Tensor logits = trunk.forward(std::span(&job, 1), {});
  const int32_t row = 0;
  cache->commit(std::span(&row, 1));
  return {std::move(cache), std::move(logits)};
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
