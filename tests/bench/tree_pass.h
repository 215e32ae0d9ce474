// What a pass over a tree of drafts takes beside its time: memory, and the commit of a path.
#pragma once

#include <c10/core/Allocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>
#include <malloc.h>

#include "tests/bench/replay_model.h"

namespace docspec {

/// Bytes of this thread's tensors, now and at most since `peak` was set. Scratch of kernels is not
/// among them: PeakResident has it.
struct TensorBytes : c10::MemoryReportingInfoBase {
  int64_t now = 0, peak = 0;
  void reportMemoryUsage(void*, int64_t size, size_t, size_t, c10::Device) override {
    now += size;
    peak = std::max(peak, now);
  }
  bool memoryProfilingEnabled() const override { return true; }
};

/// The process's resident bytes at their highest since construction, less those of then.
class PeakResident {
 public:
  PeakResident() {
    mallopt(M_MMAP_THRESHOLD, 1 << 16);  // tensors come from the system, not from what was freed
    malloc_trim(0);
    std::ofstream("/proc/self/clear_refs") << "5";
    before_ = read("VmRSS:");
  }
  int64_t bytes() const { return read("VmHWM:") - before_; }

 private:
  static int64_t read(const std::string& key) {
    std::ifstream file("/proc/self/status");
    for (std::string word; file >> word;)
      if (word == key && file >> word) return std::stoll(word) * 1024;
    throw std::runtime_error("/proc/self/status has no " + key);
  }
  int64_t before_ = 0;
};

/// Up to eight branches of one length below the pending token; `last` gets the path of the last.
inline DraftTree bushy_tree(size_t rows, std::vector<int32_t>& last) {
  DraftTree tree(0);
  const size_t branches = std::min<size_t>(8, std::max<size_t>(1, rows - 1));
  for (size_t branch = 0; branch < branches; ++branch) {
    last = {0};
    for (size_t i = branch; i + 1 < rows; i += branches)
      last.push_back(tree.add(last.back(), int32_t(branch), 0, 1, rows));
  }
  return tree;
}

/// Bytes that the recurrent layers of a cache hold from a pass to its commit, beside what they
/// hold always, by the shapes: the rows before the convolution, and slots of keys, updates and
/// decays where `kept` committed rows and the pass's need more than are there.
inline int64_t uncommitted_bytes(const DeltaShape& shape, int64_t layers, int64_t kept,
                                 int64_t rows) {
  const int64_t slot =
      shape.key_heads * shape.key_dim + shape.heads * shape.value_dim + shape.heads;
  const int64_t more = std::max<int64_t>(0, kept + rows - 2 * shape.chunk);
  return layers * int64_t(sizeof(float)) * (rows * shape.channels() + more * slot);
}

/// One pass over a tree of `rows` rows after `prompt`, until its commit.
inline nlohmann::json tree_pass_memory(const Engine& engine, const LayeredKvCache& prompt,
                                       size_t rows) {
  const auto bytes = std::make_shared<TensorBytes>();
  const c10::DebugInfoGuard counted(c10::DebugInfoKind::PROFILER_STATE, bytes);
  const auto empty = engine.trunk->new_cache();
  const int64_t states = bytes->now;
  const auto cache = continued(prompt);
  cache->begin_pass(int64_t(rows));  // a cache of keys that grows is no part of the pass
  std::vector<int32_t> path;
  const DraftTree tree = bushy_tree(rows, path);
  const SequenceInput job{&tree, cache.get(), nullptr};
  const int64_t before = bytes->now;
  bytes->peak = before;
  const PeakResident resident;
  at::Tensor logits = engine.trunk->forward(std::span(&job, 1), {.padded = false});
  const int64_t peak = bytes->peak - before, peak_resident = resident.bytes();
  logits.reset();
  const int64_t held = bytes->now - before;
  const TrunkBytes planned = engine.trunk->bytes(engine.device);
  nlohmann::json out = {
      {"tensors_peak", peak},
      {"resident_peak", peak_resident},
      {"held_until_commit", held},
      {"planned", int64_t(rows) * (planned.per_row +
                                   (prompt.length() + int64_t(rows)) * planned.per_row_and_token)}};
  if (engine.hybrid) {
    const DeltaShape& shape = engine.hybrid->delta;
    const int64_t layers =
        std::count(engine.hybrid->recurrent.begin(), engine.hybrid->recurrent.end(), true);
    out["states"] = states;
    out["states_by_shapes"] = planned.per_cache;
    out["held_by_shapes"] =
        uncommitted_bytes(shape, layers, prompt.length() % shape.chunk, int64_t(rows));
    out["with_a_state_per_row"] = int64_t(rows) * layers * shape.heads * shape.key_dim *
                                  shape.value_dim * int64_t(sizeof(float));
  }
  return out;
}

/// Milliseconds of a commit of a branch's path, the mean over passes that add 32 tokens: a chunk of
/// a recurrent model, whose state moves once in them.
inline double commit_ms(const Engine& engine, const LayeredKvCache& prompt, size_t rows,
                        Clock clock) {
  const auto cache = continued(prompt);
  std::vector<int32_t> path;
  const DraftTree tree = bushy_tree(rows, path);
  double sum = 0;
  int passes = 0;
  for (; cache->length() < prompt.length() + kDeltaChunk; ++passes) {
    const SequenceInput job{&tree, cache.get(), nullptr};
    engine.trunk->forward(std::span(&job, 1), {.padded = false});
    const double begin = clock();
    cache->commit(path);
    sum += clock() - begin;
  }
  return sum / passes;
}

}  // namespace docspec
