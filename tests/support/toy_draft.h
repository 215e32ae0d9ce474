#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/decode/draft_model/draft_model_session.h"
#include "core/decode/draft_model/model_proposer.h"

namespace docspec {

/// A draft model whose variants are functions of the whole text. Misuse throws std::logic_error: an
/// output that does not begin with the last one, or that does not grow.
class ToySource : public DraftModelSession {
 public:
  /// Distribution behind `path` by variant `m`.
  using LawOf = std::function<Distribution(const std::vector<int32_t>& path, size_t m)>;
  ToySource(std::vector<int32_t> prompt, size_t variants, LawOf distribution)
      : prompt_(std::move(prompt)), variants_(variants), law_(std::move(distribution)) {}

  size_t variants() const override { return variants_; }
  std::vector<std::vector<Distribution>> read(std::span<const int32_t> output,
                                              std::span<const int32_t> ahead, size_t from) override;

  /// Called before each pass with its number, from 0: may sleep, may throw.
  std::function<void(int pass)> before = {};

 private:
  const std::vector<int32_t> prompt_;
  const size_t variants_;
  const LawOf law_;
  std::vector<int32_t> output_;
  int passes_ = 0;
};

/// Tells nobody.
inline void untold(std::string_view) {}

}  // namespace docspec
