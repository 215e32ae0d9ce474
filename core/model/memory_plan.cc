#include "core/model/memory_plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.h"
#include "core/ops/ops.h"

namespace docspec {
namespace {

constexpr int64_t kQuestion = 512;           // prompt ids that are no visual rows, generously
constexpr int64_t kLeastPixels = 512 * 512;  // below this no page can be read
constexpr double kShrink = 0.9;              // pixels, from one try to the next

double gib(int64_t bytes) {
  return double(bytes) / double(int64_t{1} << 30);
}

/// Tokens that a cache has room for when it holds so many.
int64_t room_for(int64_t tokens, const TrunkBytes& trunk) {
  if (!trunk.paged) return tokens + tokens / 4;
  return (tokens + kAttentionBlock - 1) / kAttentionBlock * kAttentionBlock;
}

MemoryPlan costs(const MemoryNeeds& needs, const MemoryRequest& request, size_t jobs,
                 int64_t max_pixels) {
  const int64_t patches = max_pixels / (needs.patch * needs.patch);
  const int64_t visual = patches / (needs.merge * needs.merge);
  const int64_t slots = std::max(visual, request.pages * needs.page_tokens) + kQuestion +
                        request.new_tokens + request.rows;
  MemoryPlan plan;
  plan.ceiling = request.ceiling;
  plan.base = request.base;
  plan.weights = needs.weights;
  plan.cache = room_for(slots, needs.trunk) * needs.trunk.per_token + needs.trunk.per_cache;
  plan.vision = needs.vision.fixed + patches * needs.vision.per_patch;
  plan.pass = request.rows * (needs.trunk.per_row + slots * needs.trunk.per_row_and_token);
  plan.jobs = jobs;
  plan.vision_in_parallel = needs.vision_in_parallel;
  plan.max_pixels = max_pixels;
  return plan;
}

}  // namespace

int64_t MemoryPlan::total() const {
  return base + weights + int64_t(jobs) * cache +
         (vision_in_parallel ? vision + pass : std::max(vision, pass));
}

std::string MemoryPlan::text() const {
  return fmt::format(
      "base {:.2f} + weights {:.2f} + caches {} x {:.2f} + {}vision {:.2f} {} pass {:.2f} = {:.2f} "
      "GiB; images up to {} pixels",
      gib(base), gib(weights), jobs, gib(cache), vision_in_parallel ? "" : "the larger of ",
      gib(vision), vision_in_parallel ? "+" : "and", gib(pass), gib(total()), max_pixels);
}

MemoryPlan plan_memory(const MemoryNeeds& needs, const MemoryRequest& request) {
  const auto fits = [&](const MemoryPlan& plan) { return plan.total() <= request.ceiling; };
  MemoryPlan plan = costs(needs, request, request.jobs, needs.max_pixels);
  if (fits(plan)) return plan;
  plan = costs(needs, request, 1, needs.max_pixels);
  if (fits(plan)) {
    const int64_t spare = request.ceiling - plan.total();
    plan.jobs = std::min(request.jobs, 1 + size_t(spare / std::max<int64_t>(1, plan.cache)));
  } else {
    const int64_t least = std::min(needs.max_pixels, std::max(needs.min_pixels, kLeastPixels));
    while (!fits(plan) && plan.max_pixels > least)
      plan = costs(needs, request, 1, std::max(least, int64_t(double(plan.max_pixels) * kShrink)));
  }
  if (!fits(plan))
    throw Error(ExitCode::out_of_memory,
                fmt::format("--memory: {:.2f} GiB are not enough; the smallest plan is {}; raise "
                            "--memory, lower --max-new-tokens, or take a smaller model or dtype",
                            gib(request.ceiling), plan.text()));
  if (plan.jobs < request.jobs)
    plan.steps.push_back(fmt::format("{} of {} jobs are decoded together; texts stay the same",
                                     plan.jobs, request.jobs));
  if (plan.max_pixels < needs.max_pixels)
    plan.steps.push_back(
        fmt::format("images are shrunk to {} pixels, the model allows {}; texts of "
                    "larger pages may differ",
                    plan.max_pixels, needs.max_pixels));
  return plan;
}

}  // namespace docspec
