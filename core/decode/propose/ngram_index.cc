#include "core/decode/propose/ngram_index.h"

namespace docspec {
namespace {

uint64_t hash(std::span<const int32_t> ids) {
  uint64_t h = 14695981039346656037u;
  for (const int32_t id : ids) {
    h = (h ^ uint32_t(id)) * 1099511628211u;
    h ^= h >> 29;
  }
  return h;
}

}  // namespace

void NgramIndex::add(uint32_t draft, std::span<const int32_t> ids) {
  for (size_t end = n_; end <= ids.size(); ++end)
    places_[hash(ids.subspan(end - n_, n_))].push_back({draft, uint32_t(end)});
}

void NgramIndex::find(std::span<const int32_t> window, std::vector<DraftPlace>& out) const {
  const auto it = places_.find(hash(window));
  if (it != places_.end()) out.insert(out.end(), it->second.begin(), it->second.end());
}

}  // namespace docspec
