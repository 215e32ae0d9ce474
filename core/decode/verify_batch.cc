#include "core/decode/verify_batch.h"

#include <ATen/ATen.h>

namespace docspec {
namespace {

RowSampling draw_of(const Job& job, int32_t depth) {
  const SamplingSettings& how = job.sampling();
  return {how.temperature, how.top_p, how.top_k, job.rng().number(size_t(depth))};
}

/// Tokens of all rows, sampled on the device, for rules that follow one token per row. Empty on the
/// host, where only the needed tokens are sampled.
SampledRows drawn_rows(const Ops& ops, const Verifier& verifier, std::span<const Job> jobs,
                       const PackedBatch& packed, const at::Tensor& logits) {
  if (!verifier.follows() || !ops.asynchronous()) return {};
  std::vector<RowSampling> how;
  for (const size_t i : packed.live)
    for (const int32_t depth : jobs[i].tree().depth()) how.push_back(draw_of(jobs[i], depth));
  return ops.draw(logits, how, packed.token, packed.parent);
}

Acceptance verify_sampled_job(const Verifier& verifier, const Job& job, TreeStats stats,
                              const at::Tensor& logits, const SampledRows& drawn) {
  if (!verifier.samples()) return verifier.verify(job.tree(), stats);
  CounterRandom rng = job.rng();
  Draws draws{[&](int32_t row) {
                return distribution_of(logits, stats.first + size_t(row), job.sampling());
              },
              &rng, job.chains()};
  if (!drawn.token.empty()) {
    draws.drawn = std::span(drawn.token).subspan(stats.first, job.tree().rows());
    draws.path_position = std::span(drawn.path_position).subspan(stats.first, job.tree().rows());
  }
  stats.draws = &draws;
  return verifier.verify(job.tree(), stats);
}

}  // namespace

Distribution distribution_of(const at::Tensor& logits, size_t row,
                             const SamplingSettings& settings) {
  const at::Tensor host = logits[int64_t(row)].to(at::kCPU).contiguous();
  return sampling_distribution({host.const_data_ptr<float>(), size_t(host.numel())}, settings);
}

int32_t first_draw(const Ops& ops, const Job& job, const at::Tensor& logits) {
  const DraftTree nothing(0);
  const RowSampling how = draw_of(job, 0);
  const SampledRows drawn = ops.draw(logits, {&how, 1}, nothing.token(), nothing.parent());
  if (!drawn.token.empty()) return drawn.token[0];
  return job.rng().draw(distribution_of(logits, 0, job.sampling()), 0);
}

std::vector<Acceptance> verify_batch(const Ops& ops, const Verifier& verifier,
                                     std::span<const Job> jobs, const PackedBatch& packed,
                                     const RowStats& rows, const at::Tensor& logits) {
  const SampledRows drawn = drawn_rows(ops, verifier, jobs, packed, logits);
  std::vector<Acceptance> taken;
  for (size_t k = 0; k < packed.live.size(); ++k)
    taken.push_back(verify_sampled_job(verifier, jobs[packed.live[k]], {&rows, packed.first[k]},
                                       logits, drawn));
  return taken;
}

}  // namespace docspec
