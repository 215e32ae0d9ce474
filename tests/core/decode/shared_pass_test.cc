#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include "core/base/task.h"
#include "core/decode/batch_scheduler.h"
#include "core/model/draft_tree.h"
#include "tests/support/toy_lm.h"

namespace docspec {
namespace {

/// A model that, as a GPU does with recorded passes, writes the logits of all forwards to one
/// place.
class OnePlaceLm : public LanguageModel {
 public:
  int64_t vocab_size() const override { return toy_.vocab_size(); }
  at::Tensor forward(std::span<const SequenceInput> jobs,
                     const ForwardOptions& options) const override {
    const at::Tensor logits = toy_.forward(jobs, options);
    return place_.narrow(0, 0, logits.size(0)).copy_(logits);
  }
  const ToyLm& toy() const { return toy_; }

 private:
  const ToyLm toy_{ToyOptions{}};
  const at::Tensor place_ = at::zeros({8, toy_.vocab_size()});
};

/// A page's pass, and then a forward of its own, such as the prompt of its next region.
Task<void> read(BatchScheduler& scheduler, const OnePlaceLm& lm, int32_t token, at::Tensor& row) {
  BatchSlot slot(scheduler);
  const DraftTree root(token);
  const auto cache = lm.toy().prefill({1}), next = lm.toy().prefill({2});
  const SequenceInput job{&root, cache.get()};
  const BatchOutput output = co_await slot.forward({&job, 1}, {});
  row = output.logits.clone();
  const SequenceInput prompt{&root, next.get()};
  lm.forward({&prompt, 1}, {});
}

TEST(SharedPass, APageThatGoesOnFirstLeavesTheOthersTheirRows) {
  const OnePlaceLm lm;
  BatchScheduler scheduler(lm, 3, 8);
  std::vector<at::Tensor> rows(3);
  std::vector<Task<void>> tasks;
  for (int32_t i = 0; i < 3; ++i) {
    tasks.push_back(read(scheduler, lm, i, rows[size_t(i)]));
    tasks.back().start();
  }
  while (scheduler.run_pass()) {
  }
  for (int32_t i = 0; i < 3; ++i) {
    tasks[size_t(i)].get();
    EXPECT_TRUE(at::equal(rows[size_t(i)], lm.toy().logits_after({1, i}))) << i;
  }
}

}  // namespace
}  // namespace docspec
