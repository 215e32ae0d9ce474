// The language models of the replay: full geometry, random weights, text from a transcript.
#pragma once

#include <ATen/ATen.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "cli/engine/device.h"
#include "core/decode/decoder.h"
#include "core/model/checkpoint/config_reader.h"
#include "core/model/checkpoint/weights.h"
#include "core/model/families/families.h"
#include "core/model/image/image_processor.h"
#include "core/model/trunk/hybrid_decoder.h"
#include "core/ops/transfer.h"
#include "tests/support/checkpoint_writer.h"
#include "tests/support/files.h"
#include "tests/support/temp_dir.h"

namespace docspec {

inline constexpr int32_t kStop = 151645;  // <|im_end|>

inline double now_ms() {
  return std::chrono::duration<double, std::milli>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// CPU time of the process.
inline double cpu_ms() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e3 * double(now.tv_sec) + 1e-6 * double(now.tv_nsec);
}

using Clock = double (*)();
/// "wall", or "cpu": for one thread on a machine that does other things.
inline Clock clock_by(const std::string& name) {
  return name == "cpu" ? cpu_ms : now_ms;
}

/// What follows --name.
inline std::string option(int argc, char** argv, const std::string& name,
                          const std::string& otherwise) {
  for (int i = 1; i + 1 < argc; ++i)
    if (argv[i] == "--" + name) return argv[i + 1];
  return otherwise;
}

/// "cpu" or "cuda"; empty, and told on stdout, where a GPU is asked for and there is none.
inline std::string device_or_skip(const std::string& device) {
  if (device == "cpu" || cuda_state().usable) return device;
  if (std::getenv("DOCSPEC_REQUIRE_GPU")) throw std::runtime_error(cuda_state().finding);
  std::cout << nlohmann::json({{"skipped", "no CUDA device"}}).dump(1) << "\n";
  return "";
}

inline nlohmann::json geometry(const std::string& name, int64_t layers) {
  nlohmann::json text = {
      {"vocab_size", 151936}, {"rms_norm_eps", 1e-6}, {"rope_theta", 1e6}, {"hidden_act", "silu"}};
  if (name == "dots_ocr") {
    text.update({{"hidden_size", 1536},
                 {"intermediate_size", 8960},
                 {"num_hidden_layers", 28},
                 {"num_attention_heads", 12},
                 {"num_key_value_heads", 2},
                 {"tie_word_embeddings", false}});
  } else if (name == "qwen2_5_vl_3b") {
    text.update({{"hidden_size", 2048},
                 {"intermediate_size", 11008},
                 {"num_hidden_layers", 36},
                 {"num_attention_heads", 16},
                 {"num_key_value_heads", 2},
                 {"tie_word_embeddings", true},
                 {"rope_scaling", {{"type", "mrope"}, {"mrope_section", {16, 24, 24}}}}});
  } else if (name == "qwen3_5_2b" || name == "qwen3_5_4b") {
    const bool large = name == "qwen3_5_4b";
    text.update(
        {{"vocab_size", 248320},
         {"hidden_size", large ? 2560 : 2048},
         {"intermediate_size", large ? 9216 : 6144},
         {"num_hidden_layers", large ? 32 : 24},
         {"num_attention_heads", large ? 16 : 8},
         {"num_key_value_heads", large ? 4 : 2},
         {"head_dim", 256},
         {"linear_num_key_heads", 16},
         {"linear_num_value_heads", large ? 32 : 16},
         {"linear_key_head_dim", 128},
         {"linear_value_head_dim", 128},
         {"linear_conv_kernel_dim", 4},
         {"full_attention_interval", 4},
         {"tie_word_embeddings", true},
         {"rope_parameters", {{"partial_rotary_factor", 0.25}, {"mrope_section", {11, 11, 10}}}}});
  } else {
    throw std::runtime_error("--geometry " + name +
                             ": dots_ocr, qwen2_5_vl_3b, qwen3_5_2b or qwen3_5_4b");
  }
  if (layers > 0) text["num_hidden_layers"] = layers;
  return text;
}

inline int64_t head_dim(const nlohmann::json& text) {
  const int64_t hidden = text["hidden_size"], heads = text["num_attention_heads"];
  return text.value("head_dim", hidden / heads);
}

/// Weights of no meaning: products and memory traffic are those of the real ones.
class RandomWeights : public Weights {
 public:
  RandomWeights(const Checkpoint& empty, const std::string& dtype, const at::Device& device)
      : Weights(empty, dtype == "f32" ? at::kFloat : at::kBFloat16, device,
                dtype == "int8"   ? Quantization::int8
                : dtype == "int4" ? Quantization::int4
                                  : Quantization::none),
        options_(at::TensorOptions(dtype == "f32" ? at::kFloat : at::kBFloat16).device(device)) {}
  at::Tensor get(const std::string& name, const std::vector<int64_t>& shape) override {
    const at::Tensor all = name.ends_with("norm.weight")
                               ? at::ones(shape, options_)
                               : at::empty(shape, options_).uniform_(-0.03, 0.03);
    read_ += name.find("embed_tokens") == std::string::npos ? int64_t(all.numel()) : 0;
    return all;
  }
  /// Numbers that each pass reads: all but the embeddings.
  int64_t read() const { return read_; }

 private:
  at::TensorOptions options_;
  int64_t read_ = 0;
};

/// The trunk's forward, then each row's argmax is made what its page's transcript says there.
class ReplayLm : public LanguageModel {
 public:
  ReplayLm(const Trunk& trunk, int64_t prefix) : trunk_(trunk), prefix_(prefix) {}
  int64_t vocab_size() const override { return trunk_.vocab_size(); }
  /// The transcript that a cache follows; it must outlive the model.
  void follow(const KvCache& cache, const std::vector<int32_t>& script) {
    scripts_[&cache] = &script;
  }

  at::Tensor forward(std::span<const SequenceInput> jobs,
                     const ForwardOptions& options) const override {
    at::Tensor logits = trunk_.forward(jobs, options);
    std::vector<int64_t> places;  // in the logits as one row
    for (const SequenceInput& job : jobs) say(job, places);
    logits.view(-1).index_fill_(0, send_to_device(at::tensor(places, at::kLong), logits.device()),
                                1e4);
    return logits;
  }

 private:
  void say(const SequenceInput& job, std::vector<int64_t>& places) const {
    const DraftTree& tree = *job.tree;
    const std::vector<int32_t>& script = *scripts_.at(job.cache);
    const auto at = size_t(job.cache->length() - prefix_);  // in the script: the pending token
    std::vector<bool> right(tree.rows());
    for (size_t r = 0; r < tree.rows(); ++r) {
      const size_t place = at + size_t(tree.depth()[r]);
      right[r] = place < script.size() && tree.token()[r] == script[place] &&
                 (r == 0 || right[size_t(tree.parent()[r])]);
      const int32_t next = right[r] && place + 1 < script.size() ? script[place + 1] : kStop;
      places.push_back(int64_t(places.size()) * vocab_size() + next);
    }
  }

  const Trunk& trunk_;
  int64_t prefix_;
  std::map<const KvCache*, const std::vector<int32_t>*> scripts_;
};

/// A cache that continues `prompt`: what is written is shared, rows after it are written anew.
inline std::unique_ptr<LayeredKvCache> continued(const LayeredKvCache& prompt) {
  if (const auto* recurrent = dynamic_cast<const RecurrentCache*>(&prompt))
    return std::make_unique<RecurrentCache>(*recurrent);
  return std::make_unique<LayeredKvCache>(prompt);
}

/// The model, a prompt's prefix in the cache, and what both took.
struct Engine {
  test::TempDir folder;
  at::Device device;
  std::unique_ptr<Ops> host = make_cpu_ops(), ops;
  std::unique_ptr<Qwen2Decoder> trunk;
  std::unique_ptr<LayeredKvCache> prompt;
  int64_t prefix = 0;
  double prefill_ms = 0;
  Clock clock = now_ms;
  std::map<int64_t, double> plain_ms;  ///< of a plain pass by the length of its context
  CostCurve cost;

  int64_t read = 0;                    ///< numbers of the weights that each pass reads
  int64_t head = 0;                    ///< those of the head
  std::optional<HybridConfig> hybrid;  ///< of a model with recurrent layers

  explicit Engine(const nlohmann::json& config, const std::string& dtype = "bf16",
                  std::unique_ptr<Ops> other = nullptr, const std::string& place = "cpu")
      : device(place), ops(other ? std::move(other) : make_device_ops(place, *host)) {
    if (!ops) ops = make_cpu_ops();
    std::ofstream(folder / "config.json") << config.dump();
    std::ofstream(folder / "model.safetensors", std::ios::binary)
        << test::safetensors_bytes({{"none", "F32", {1}, std::string(4, '\0')}});
    const Checkpoint empty(folder.path());
    RandomWeights weights(empty, dtype, device);
    const ConfigReader reader(config, "config.json");
    if (reader.has("linear_num_value_heads")) {
      hybrid = HybridConfig::read(reader);
      trunk = std::make_unique<HybridDecoder>(*hybrid, weights, "model.", *ops);
    } else {
      trunk = std::make_unique<Qwen2Decoder>(Qwen2Config::read(reader), weights, "model.", *ops);
    }
    trunk->finish();
    read = weights.read();
    head = trunk->vocab_size() * config["hidden_size"].get<int64_t>();
  }

  void wait() const {
    if (device.is_cuda()) at::zeros({1}, device).item();
  }

  /// On a GPU a prompt ends with a page of its cache, so that jobs that share it write pages of
  /// their own.
  void prefill(int64_t rows) {
    if (device.is_cuda()) rows = (rows + kAttentionBlock - 1) / kAttentionBlock * kAttentionBlock;
    if (prompt && prefix == rows) return;
    prefix = rows;
    prompt = trunk->new_cache();
    if (device.is_cuda()) extend(*trunk->new_cache(), rows);  // the libraries' first time
    const double begin = clock();
    extend(*prompt, rows);
    wait();
    prefill_ms = clock() - begin;
    cost = measure_cost_curve(*trunk, *prompt, {});
    plain_ms.clear();
  }

  void extend(LayeredKvCache& cache, int64_t rows) const {
    const int64_t d = trunk->config().hidden, from = cache.length();
    const at::Tensor embeds =
        at::empty({rows, d}, at::TensorOptions(at::kBFloat16).device(device)).uniform_(-1, 1);
    std::vector<int64_t> positions;
    for (int axis = 0; axis < 3; ++axis)
      for (int64_t row = 0; row < rows; ++row) positions.push_back(from + row);
    trunk->prefill(cache, embeds, positions);
  }

  /// Milliseconds of a plain pass, unpadded, behind the prompt and `tokens` more: the median of
  /// some, measured at each thousand and interpolated.
  double plain_pass(int64_t tokens) {
    constexpr int64_t kStep = 1000;
    const int64_t low = tokens / kStep * kStep;
    const auto at = [&](int64_t place) {
      const auto known = plain_ms.find(place);
      if (known != plain_ms.end()) return known->second;
      const auto cache = continued(*prompt);
      if (place > 0) extend(*cache, place);
      std::vector<double> times;
      for (int i = 0; i < 9; ++i) {
        const DraftTree tree(0);
        const SequenceInput job{&tree, cache.get(), nullptr};
        const double begin = clock();
        trunk->forward(std::span(&job, 1), {.padded = false});
        wait();
        times.push_back(clock() - begin);
      }
      std::nth_element(times.begin(), times.begin() + 4, times.end());
      return plain_ms[place] = times[4];
    };
    const double share = double(tokens - low) / kStep;
    return at(low) * (1 - share) + at(low + kStep) * share;
  }
};

/// Milliseconds that dots.ocr's vision tower takes for an A4 page at 200 dpi, random weights.
inline double vision_ms(const std::string& place, const Ops& ops) {
  const std::filesystem::path tiny = test::oracle_folder("dots_ocr/hub/model");
  nlohmann::json config = nlohmann::json::parse(std::ifstream(tiny / "config.json"));
  config.update(geometry("dots_ocr", 1));
  config["vision_config"].update({{"embed_dim", 1536},
                                  {"hidden_size", 1536},
                                  {"intermediate_size", 4224},
                                  {"num_hidden_layers", 42},
                                  {"num_attention_heads", 12}});
  const test::TempDir folder;
  std::ofstream(folder / "config.json") << config.dump();
  std::filesystem::copy_file(tiny / "preprocessor_config.json",
                             folder / "preprocessor_config.json");
  std::ofstream(folder / "model.safetensors", std::ios::binary)
      << test::safetensors_bytes({{"none", "F32", {1}, std::string(4, '\0')}});
  const Checkpoint empty(folder.path());
  RandomWeights weights(empty, "bf16", at::Device(place));
  const Vlm::Parts parts = make_dots_ocr(empty, weights, ops);
  const PatchGrid grid{1, 168, 118};
  const Patches page{at::rand({grid.patches(), 3 * 14 * 14}), grid, 118 * 14, 168 * 14};
  double best = 0;
  for (int round = 0; round < 4; ++round) {
    const double begin = now_ms();
    parts.vision->encode(page).sum().item();
    const double ms = now_ms() - begin;
    if (round == 1 || (round > 1 && ms < best)) best = ms;  // the first one warms up
  }
  return best;
}

}  // namespace docspec
