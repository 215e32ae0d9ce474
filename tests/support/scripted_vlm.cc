#include "tests/support/scripted_vlm.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "core/base/json_file.h"
#include "core/model/checkpoint/checkpoint.h"
#include "core/model/checkpoint/weights.h"
#include "core/model/draft_tree.h"
#include "core/model/families/families.h"
#include "core/model/prompt_set.h"
#include "core/text/tokenizer.h"
#include "tests/support/files.h"

namespace docspec {
namespace {

class ScriptedTrunk : public Trunk {
 public:
  ScriptedTrunk(std::unique_ptr<Trunk> real, std::vector<std::vector<int32_t>> scripts,
                float margin)
      : real_(std::move(real)), scripts_(std::move(scripts)), margin_(margin) {}

  int64_t vocab_size() const override { return real_->vocab_size(); }
  int64_t layer_count() const override { return real_->layer_count(); }
  std::unique_ptr<LayeredKvCache> new_cache() const override { return real_->new_cache(); }
  at::Tensor embed(std::span<const int32_t> ids) const override { return real_->embed(ids); }
  void finish() override { real_->finish(); }
  bool batch_invariant() const override { return real_->batch_invariant(); }
  TrunkBytes bytes(c10::Device place) const override { return real_->bytes(place); }

  void prefill(LayeredKvCache& cache, const at::Tensor& embeds,
               std::span<const int64_t> positions) const override {
    real_->prefill(cache, embeds, positions);
    const size_t script = std::min(prefills_++, scripts_.size() - 1);
    roles_[&cache] = {script, cache.length()};
  }

  at::Tensor forward(std::span<const SequenceInput> jobs,
                     const ForwardOptions& options) const override {
    std::vector<int64_t> next;
    for (const SequenceInput& job : jobs) {
      const auto& [script, prompt] = roles_.at(job.cache);
      for (const int32_t depth : job.tree->depth()) {
        const auto at = size_t(job.cache->length() + depth - prompt);
        next.push_back(scripts_[script][std::min(at, scripts_[script].size() - 1)]);
      }
    }
    at::Tensor logits = at::zeros_like(real_->forward(jobs, options));
    for (size_t row = 0; row < next.size(); ++row) logits[int64_t(row)][next[row]] = margin_;
    return logits;
  }

 private:
  std::unique_ptr<Trunk> real_;
  std::vector<std::vector<int32_t>> scripts_;  ///< each ends with the stop token
  float margin_;
  mutable size_t prefills_ = 0;
  /// Which script a cache plays, and how many rows it had before the prompt's last one.
  mutable std::map<const KvCache*, std::pair<size_t, int64_t>> roles_;
};

}  // namespace

Vlm scripted_vlm(const Ops& ops, const std::vector<std::string>& texts, float margin,
                 const std::string& family, const nlohmann::json& own) {
  const std::string folder = test::oracle_folder("qwen2_5_vl/hub_tied/model");
  const std::string file = DOCSPEC_SOURCE_DIR "/share/families/" + family + ".json";
  const Checkpoint checkpoint(folder);
  Weights weights(checkpoint, at::kFloat, at::kCPU);
  Vlm::Parts parts = make_qwen2_5_vl(checkpoint, weights, ops);
  parts.trunk->finish();
  parts.pages_processor = std::make_unique<ImageProcessor>(parts.image_processor->config());
  PromptSet prompts(read_json(file), own, file);
  auto tokenizer = std::make_unique<Tokenizer>(Tokenizer::load(folder + "/tokenizer.json"));
  std::vector<std::vector<int32_t>> scripts;
  for (const std::string& text : texts) {
    scripts.push_back(tokenizer->encode(text, false));
    scripts.back().push_back(tokenizer->encode(prompts.stop()[0]).at(0));
  }
  parts.trunk = std::make_unique<ScriptedTrunk>(std::move(parts.trunk), std::move(scripts), margin);
  return Vlm({"scripted", 0, "f32"}, std::move(parts), std::move(tokenizer), std::move(prompts));
}

}  // namespace docspec
