#pragma once

#include <ATen/core/Tensor.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/image/image_processor.h"
#include "core/model/kv_cache.h"
#include "core/model/language_model.h"
#include "core/model/memory_plan.h"
#include "core/model/mtp_layer.h"

namespace docspec {

class Ops;
class PromptSet;
class Tokenizer;

/// Patches + grid -> the image's rows in the language model.
class VisionEncoder {
 public:
  virtual ~VisionEncoder() = default;
  /// [patches / merge^2, d_model] in the model's dtype and place, in raster order of merge blocks;
  /// a multiple of d_model columns where further ones are meant for deeper layers (Trunk::prefill).
  virtual at::Tensor encode(const Patches& patches) const = 0;
  virtual VisionBytes bytes() const = 0;
};

/// A language model that also reads rows which are no tokens.
class Trunk : public LanguageModel {
 public:
  /// Layers of attention.
  virtual int64_t layer_count() const = 0;
  virtual std::unique_ptr<LayeredKvCache> new_cache() const = 0;
  /// Whether LayeredKvCache::drop works: a recurrent state cannot be wound back.
  virtual bool caches_can_drop() const { return true; }
  /// [ids, d_model]. Throws std::invalid_argument for an id outside the vocabulary.
  virtual at::Tensor embed(std::span<const int32_t> ids) const = 0;
  /// Appends and commits rows that are not a draft. embeds: [rows, d_model]; positions: [axes *
  /// rows], axis-major. If embeds has more columns, the k-th further d_model columns are added
  /// after the k-th layer. The bits of the cache equal those of decoding row by row.
  virtual void prefill(LayeredKvCache& cache, const at::Tensor& embeds,
                       std::span<const int64_t> positions) const = 0;
  /// Runs the row padding self-check; called once all weights are there, before anything is
  /// computed.
  virtual void finish() = 0;
  /// False when the self-check found no number of rows at which a row's bits are its own.
  virtual bool batch_invariant() const = 0;
  /// Memory that it needs besides its weights when they are at `place`; these may be shapes alone.
  virtual TrunkBytes bytes(c10::Device place) const = 0;
};

/// An image as the language model reads it.
struct VisualRows {
  at::Tensor rows;  ///< [height * width, d_model] (or a multiple), raster order
  /// Width 1 where the rows are no raster; with RopeAxes::four there are two rows more.
  int64_t height = 0, width = 0;
};
/// Means of 2 x 2 rows (of what there is of them at the far edges); of four where they are no
/// raster.
VisualRows pooled(const VisualRows& image);

/// How a prompt's rows are counted: each row by one, or visual rows by their row and column.
enum class RopeAxes { one, three, four };
inline constexpr int kMostRopeAxes = 4;

/// Rotary positions of a prompt. Text counts up on all axes. With RopeAxes::three a visual row has
/// the image's start + (0, its row, its column), and text continues after the larger side of the
/// image; with one axis visual rows count up like text. With RopeAxes::four all rows count up on
/// the first axis, and text on all axes; a visual row between the first and the last has its
/// column, its row and 0 on the others.
struct RopePositions {
  std::vector<int64_t> axes;  ///< [3 or 4 * ids], axis-major: temporal, height, width
  int64_t delta = 0;          ///< position of what follows = index + delta
};

/// A prompt in the cache and what the model says next.
struct Prefilled {
  std::unique_ptr<LayeredKvCache> cache;  ///< all prompt ids are committed
  at::Tensor logits;                      ///< [1, vocab] f32, device: after the last prompt id
  RopePositions positions;                ///< of the prompt
};

/// The facts about a loaded model for reports.
struct VlmInfo {
  std::string family;      ///< model_type
  int64_t parameters = 0;  ///< numbers in the stored tensors
  std::string dtype;       ///< "f32", "bf16", "int8" or "int4": the numbers it computes in
};

/// A document VLM: checkpoint folder in, prompts and caches out; the rest of a decode is
/// language_model().forward.
class Vlm {
 public:
  struct Parts {
    std::unique_ptr<ImageProcessor> image_processor;
    std::unique_ptr<VisionEncoder> vision;
    std::unique_ptr<Trunk> trunk;
    /// Placeholder of a visual row in prompt ids; nothing = what the tokenizer has for the
    /// prompts'.
    std::optional<int32_t> image_token;
    RopeAxes axes = RopeAxes::three;
    std::unique_ptr<MtpLayer> mtp_layer = {};  ///< nullptr = the model ships none
    /// Prepares the images of a prompt that holds several pages; nullptr = no prompt may.
    std::unique_ptr<ImageProcessor> pages_processor = {};
  };
  Vlm(VlmInfo info, Parts parts, std::unique_ptr<Tokenizer> tokenizer, PromptSet prompts);
  Vlm(Vlm&&) noexcept;
  ~Vlm();

  const VlmInfo& info() const { return info_; }
  const Trunk& language_model() const { return *parts_.trunk; }
  const VisionEncoder& vision() const { return *parts_.vision; }
  /// The layer that predicts further tokens; nullptr = the checkpoint has none.
  const MtpLayer* mtp_layer() const { return parts_.mtp_layer.get(); }
  const ImageProcessor& image_processor() const { return *parts_.image_processor; }
  const Tokenizer& tokenizer() const { return *tokenizer_; }
  const PromptSet& prompts() const { return *prompts_; }

  /// Whether one prompt may hold several pages, one image after the other.
  bool reads_pages() const { return parts_.pages_processor != nullptr; }
  /// Visual rows of a prompt with these images. Throws Error(input_file) for one that the model
  /// cannot take.
  int64_t visual_tokens(std::span<const PageImage* const> images) const;

  /// Ids of the chat with this question, the image's placeholder repeated for each visual row.
  /// `image` nullptr = text alone. Throws Error(input_file) for an image the model cannot take.
  std::vector<int32_t> prompt_ids(const PageImage* image, std::string_view question) const;
  /// The same for an image of so many visual rows; 0 = text alone.
  std::vector<int32_t> prompt_ids(int64_t visual_rows, std::string_view question) const;
  /// Runs vision. Throws Error(input_file) as prompt_ids does.
  VisualRows encode_image(const PageImage& image) const;
  /// The same for the images of one prompt; several of them if reads_pages().
  VisualRows encode_images(std::span<const PageImage* const> images) const;
  /// Runs vision and prompt. Throws Error(input_file) as prompt_ids does and std::invalid_argument
  /// when placeholders and image do not fit.
  Prefilled prefill(const PageImage* image, std::span<const int32_t> prompt_ids) const;
  /// The same with the image seen already; nullptr = text alone. `keep_hidden`: as in the cache.
  Prefilled prefill_encoded(const VisualRows* visual, std::span<const int32_t> prompt_ids,
                            bool keep_hidden = false) const;
  int32_t image_token() const { return *parts_.image_token; }

 private:
  VisualRows encode_with(const ImageProcessor& processor, const PageImage& image) const;

  VlmInfo info_;
  Parts parts_;
  std::unique_ptr<Tokenizer> tokenizer_;
  std::unique_ptr<PromptSet> prompts_;
};

/// Throws std::invalid_argument when the placeholders are not one run of rows x columns, and two
/// more with RopeAxes::four.
RopePositions rope_positions(RopeAxes kind, std::span<const int32_t> ids, int32_t image_token,
                             int64_t rows, int64_t columns);

}  // namespace docspec
