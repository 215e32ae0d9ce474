#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace at {
class Tensor;
}

namespace docspec {

class DraftTree;

/// Visual rows of the cache that are attended next; sorted, unique. A view: nothing is evicted.
struct Fixation {
  std::vector<int32_t> visual_rows;
};

/// Keys and values of one sequence. Rows are appended by LanguageModel and kept or dropped by
/// commit; visual rows are never evicted.
class KvCache {
 public:
  virtual ~KvCache() = default;
  /// Rows that are committed: prompt and accepted tokens, without the pending one.
  virtual int64_t length() const = 0;
  /// Keeps, of the rows that the last forward appended, those in `rows` (indices into its tree, in
  /// path order, row 0 first) and drops the others. The result equals a cache of that path.
  virtual void commit(std::span<const int32_t> rows) = 0;
};

/// One job's share of a pass.
struct PassJob {
  const DraftTree* tree = nullptr;
  KvCache* cache = nullptr;
  const Fixation* fixation = nullptr;  ///< nullptr = all visual rows
};

struct PassOptions {
  /// Pad the packed rows so that a row's bits do not depend on how many others are in the pass
  /// (design.md, batch invariance). Off only for timing the plain baseline.
  bool padded = true;
};

/// The language part of a VLM. All methods are const and may be called for different caches.
class LanguageModel {
 public:
  virtual ~LanguageModel() = default;
  virtual int64_t vocab_size() const = 0;
  /// ONE target forward over the trees of any number of jobs: appends K and V of all rows to each
  /// cache (until commit) and returns the logits, [sum of tree rows, vocab] f32 on the model's
  /// device, jobs in the given order. Row i's logits are those after the path root..i run linearly;
  /// in f32 they have the same bits whatever else is in the pass.
  virtual at::Tensor forward(std::span<const PassJob> jobs, const PassOptions& options) const = 0;
};

}  // namespace docspec
