// What operations do where a device has nothing of its own for them. The CUDA side holds a copy of
// this file, so that it needs no symbol of the program that opens it.
#include "core/ops/ops.h"

#include <ATen/ATen.h>

#include <algorithm>

#include "core/ops/graph_cache.h"
#include "core/ops/layers.h"

namespace docspec {

std::vector<int32_t> path_positions(std::span<const int32_t> choice, std::span<const int32_t> token,
                                    std::span<const int32_t> parent) {
  std::vector<int32_t> place(token.size(), -1);
  for (size_t row = 0; row < token.size(); ++row) {  // parents come first, siblings differ
    if (parent[row] < 0) place[row] = 0;
    const auto above = size_t(std::max(parent[row], 0));
    if (parent[row] >= 0 && place[above] >= 0 && token[row] == choice[above])
      place[row] = place[above] + 1;
  }
  return place;
}

SampledRows Ops::draw(const at::Tensor&, std::span<const RowSampling>, std::span<const int32_t>,
                      std::span<const int32_t>) const {
  return {};
}

at::Tensor Ops::add_norm(at::Tensor& x, const at::Tensor& more, const at::Tensor& weight,
                         double eps) const {
  x = x + more;
  return rms_norm(x, weight, eps);
}

bool Ops::fuses_vision(const at::Tensor&) const {
  return false;
}

void Ops::turn_heads(at::Tensor& qkv, const Rotary& rotary) const {
  for (const int64_t part : {0, 1}) qkv.select(1, part).copy_(rotate(qkv.select(1, part), rotary));
}

bool Ops::paged(const at::Tensor&, int64_t) const {
  return false;
}

int64_t Ops::prefill_rows(const at::Tensor&) const {
  return 256;  // a large product, small scores
}

std::unique_ptr<GraphCache> Ops::graph_cache(const at::Tensor&) const {
  return nullptr;
}

void Ops::gather_pages(std::span<const at::Tensor> pages, std::span<const int64_t> from,
                       int64_t to) const {
  const auto slot = [&](int64_t at) {  // [layers, 2, kv_heads, head_dim]
    return pages[size_t(at / kAttentionBlock)].select(3, at % kAttentionBlock);
  };
  for (size_t i = 0; i < from.size(); ++i) slot(to + int64_t(i)).copy_(slot(from[i]));
}

void append_rows(const at::Tensor& k, const at::Tensor& v, std::span<const CacheRows> jobs) {
  int64_t first = 0;
  for (const CacheRows& job : jobs) {
    for (int side = 0; side < 2; ++side) {
      const at::Tensor rows =  // [kv_heads, rows, head_dim]
          (side == 0 ? k : v).narrow(0, first, job.rows).transpose(0, 1);
      if (job.pages.empty()) {
        (side == 0 ? *job.keys : *job.values).narrow(1, job.slot, job.rows).copy_(rows);
        continue;
      }
      for (int64_t done = 0; done < job.rows;) {
        const int64_t slot = job.slot + done, in = slot % kAttentionBlock,
                      n = std::min(job.rows - done, kAttentionBlock - in);
        job.pages[size_t(slot / kAttentionBlock)][job.layer][side].narrow(1, in, n).copy_(
            rows.narrow(1, done, n));
        done += n;
      }
    }
    first += job.rows;
  }
}

at::Tensor whole_cache(const CacheRows& cache, int side) {
  if (cache.pages.empty()) return side == 0 ? *cache.keys : *cache.values;
  std::vector<at::Tensor> blocks;
  for (const at::Tensor& page : cache.pages) blocks.push_back(page[cache.layer][side]);
  return at::cat(blocks, 1);
}

std::vector<at::Tensor> pages_of(const at::Tensor& keys, const at::Tensor& values) {
  std::vector<at::Tensor> pages;
  for (int64_t slot = 0; slot < keys.size(1); slot += kAttentionBlock)
    pages.push_back(at::stack({keys.narrow(1, slot, kAttentionBlock),  //
                               values.narrow(1, slot, kAttentionBlock)})
                        .unsqueeze(0));
  return pages;
}

at::Tensor Ops::rotate_append(const at::Tensor& qkv, int64_t heads, int64_t kv_heads,
                              const Rotary& rotary, std::span<const CacheRows> jobs,
                              const AttentionPlan&) const {
  const int64_t all = heads + 2 * kv_heads;
  const auto parts = qkv.view({qkv.size(0), all, qkv.size(1) / all})
                         .split_with_sizes({heads, kv_heads, kv_heads}, 1);
  append_rows(rotate(parts[1], rotary), parts[2], jobs);
  return rotate(parts[0], rotary);
}

}  // namespace docspec
