#include "core/decode/batch_scheduler.h"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>
#include <string>

#include "core/base/task.h"
#include "core/model/draft_tree.h"
#include "core/ops/ops.h"
#include "tests/support/toy_lm.h"

namespace docspec {
namespace {

const CostCurve kCost;

/// A job of one pass: a tree behind a cache.
struct Pass {
  DraftTree tree{0};
  std::unique_ptr<ToyCache> cache;
  std::vector<size_t> rows;
  at::Tensor logits;
  int forwards = 0;
  double seconds = 0;

  Pass(const ToyLm& lm, std::vector<int32_t> prompt, std::vector<float> scores)
      : cache(lm.prefill(prompt)) {
    for (size_t i = 0; i < scores.size(); ++i) tree.add(int32_t(i), 0, 0, scores[i], 99);
  }
};

Task<void> go(BatchScheduler& scheduler, const CostCurve& cost, Pass& pass) {
  BatchSlot slot(scheduler);
  const DraftTree* tree = &pass.tree;
  pass.rows = co_await slot.rows(cost, {&tree, 1});
  const SequenceInput job{tree, pass.cache.get()};
  BatchOutput passed = co_await slot.forward({&job, 1}, {});
  pass.logits = passed.logits;
  pass.forwards = passed.forwards;
  pass.seconds = slot.seconds();
}

TEST(BatchScheduler, GivesEachPageItsLogitsFromOneForward) {
  const ToyLm lm({});
  BatchScheduler scheduler(lm, 3, 8);
  std::vector<Pass> passes;
  for (int i = 0; i < 3; ++i)
    passes.emplace_back(lm, std::vector<int32_t>{i, 5}, std::vector<float>(size_t(i) + 1, 0.9f));
  std::vector<Task<void>> tasks;
  for (Pass& pass : passes) {
    tasks.push_back(go(scheduler, kCost, pass));
    tasks.back().start();
  }
  EXPECT_FALSE(scheduler.has_free_slot());
  EXPECT_TRUE(scheduler.run_pass());
  EXPECT_FALSE(scheduler.run_pass());
  EXPECT_TRUE(scheduler.has_free_slot());
  ASSERT_EQ(lm.passes().size(), 1u);
  EXPECT_EQ(lm.passes()[0], (std::vector<size_t>{2, 3, 4}));
  int forwards = 0;
  for (size_t i = 0; i < passes.size(); ++i) {
    tasks[i].get();
    forwards += passes[i].forwards;
    EXPECT_EQ(passes[i].logits.size(0), int64_t(i) + 2);
    EXPECT_TRUE(at::equal(passes[i].logits[0], lm.logits_after({int32_t(i), 5, 0})[0]));
  }
  EXPECT_EQ(forwards, 1);
}

/// As on a GPU, where a recorded pass writes its logits where the one before has written them.
class OneResult : public ToyLm {
 public:
  using ToyLm::ToyLm;
  at::Tensor forward(std::span<const SequenceInput> jobs,
                     const ForwardOptions& options) const override {
    const at::Tensor logits = ToyLm::forward(jobs, options);
    result_.narrow(0, 0, logits.size(0)).copy_(logits);
    return result_.narrow(0, 0, logits.size(0));
  }

 private:
  at::Tensor result_ = at::empty({64, vocab_size()});
};

TEST(BatchScheduler, APagesLogitsOutliveTheNextForwardOfAnother) {
  const OneResult lm(ToyOptions{});
  BatchScheduler scheduler(lm, 2, 8);
  Pass first(lm, {1, 5}, {0.9f}), second(lm, {2, 5}, {0.9f}), next(lm, {3, 5}, {0.9f, 0.9f, 0.9f});
  Task<void> one = go(scheduler, kCost, first), other = go(scheduler, kCost, second);
  one.start();
  other.start();
  scheduler.run_pass();
  const SequenceInput job{&next.tree, next.cache.get()};
  lm.forward({&job, 1}, {});
  EXPECT_TRUE(at::equal(first.logits[0], lm.logits_after({1, 5, 0})[0]));
  EXPECT_TRUE(at::equal(second.logits[0], lm.logits_after({2, 5, 0})[0]));
}

TEST(BatchScheduler, ChoosesRowsOverAllPages) {
  const ToyLm lm({});
  BatchScheduler scheduler(lm, 2, 8);
  CostCurve cost;
  cost.fixed = 5;  // two roots and the three best of four
  Pass good(lm, {1}, {0.9f, 0.8f}), poor(lm, {2}, {0.5f, 0.1f});
  Task<void> a = go(scheduler, cost, good), b = go(scheduler, cost, poor);
  a.start();
  b.start();
  scheduler.run_pass();
  EXPECT_EQ(good.rows, std::vector<size_t>{3});
  EXPECT_EQ(poor.rows, std::vector<size_t>{2});
}

TEST(BatchScheduler, NothingWaitsWithOnePage) {
  const ToyLm lm({});
  BatchScheduler scheduler(lm, 1, 8);
  Pass pass(lm, {1, 2}, {0.9f});
  go(scheduler, kCost, pass).run();
  EXPECT_EQ(pass.logits.size(0), 2);
}

/// Work that is done when it has been asked for so often.
struct Script : AsyncWork {
  explicit Script(int asks) : left(asks) {}
  bool done() const override { return left == 0 || --left == 0; }
  void wait() const override { left = 0; }
  mutable int left;
};

Task<void> see_and_go(BatchScheduler& scheduler, const Script& image, std::string& events,
                      char name) {
  BatchSlot slot(scheduler);
  co_await slot.until(image);
  events += name;
  image.wait();
}

Task<void> propose_from_lookahead(BatchScheduler& scheduler, const ToyLm& lm, int passes,
                                  std::string& events) {
  BatchSlot slot(scheduler);
  for (int i = 0; i < passes; ++i) {
    const DraftTree root(0);
    const auto cache = lm.prefill(std::vector<int32_t>{1});
    const SequenceInput job{&root, cache.get()};
    co_await slot.forward({&job, 1}, {});
    events += '.';
  }
}

TEST(BatchScheduler, APageWhoseImageIsBeingSeenHoldsUpNoPassOfOthers) {
  const ToyLm lm({});
  std::string events;
  BatchScheduler scheduler(lm, 3, 8);
  const Script late(3), later(5);
  Task<void> tasks[] = {see_and_go(scheduler, later, events, 'b'),
                        see_and_go(scheduler, late, events, 'a'),
                        propose_from_lookahead(scheduler, lm, 6, events)};
  for (Task<void>& task : tasks) task.start();
  while (scheduler.run_pass()) {
  }
  for (Task<void>& task : tasks) task.get();
  EXPECT_EQ(events, ".a..b...") << "asked once when it is begun, and once a step";
}

TEST(BatchScheduler, WhereNobodyElseHasAnythingToDoOneGoesOnToWaitForItsImage) {
  const ToyLm lm({});
  std::string events;
  BatchScheduler scheduler(lm, 3, 8);
  const Script one(1000), other(1000);
  Task<void> a = see_and_go(scheduler, one, events, 'a'),
             b = see_and_go(scheduler, other, events, 'b');
  Task<void> passes = propose_from_lookahead(scheduler, lm, 2, events);
  for (Task<void>* task : {&a, &b, &passes}) task->start();
  for (const char* then : {".", "..", "..a", "..ab"}) {
    EXPECT_TRUE(scheduler.run_pass());
    EXPECT_EQ(events, then);
  }
  EXPECT_FALSE(scheduler.run_pass());
}

TEST(BatchScheduler, AnImageHoldsUpNothingWhereItIsSeenOrThePageIsAlone) {
  const ToyLm lm({});
  for (const auto& [pages, asks] : {std::pair{3, 0}, {1, 1000}}) {
    std::string events;
    BatchScheduler scheduler(lm, size_t(pages), 8);
    see_and_go(scheduler, Script(asks), events, 'a').run();
    EXPECT_EQ(events, "a");
  }
}

/// A model that cannot run.
struct Broken : LanguageModel {
  int64_t vocab_size() const override { return 9; }
  at::Tensor forward(std::span<const SequenceInput>, const ForwardOptions&) const override {
    throw std::runtime_error("no memory for this pass");
  }
};

TEST(BatchScheduler, WhatAForwardThrowsEachOfItsPagesGets) {
  const ToyLm lm({});
  for (const size_t pages : {1u, 2u}) {
    const Broken broken;
    BatchScheduler scheduler(broken, pages, 8);
    std::vector<Pass> passes;
    for (size_t i = 0; i < pages; ++i)
      passes.emplace_back(lm, std::vector<int32_t>{1}, std::vector<float>{});
    std::vector<Task<void>> tasks;
    for (Pass& pass : passes) {
      tasks.push_back(go(scheduler, kCost, pass));
      tasks.back().start();
    }
    while (scheduler.run_pass()) {
    }
    for (auto& task : tasks) EXPECT_THROW(task.get(), std::runtime_error);
  }
}

TEST(BatchScheduler, APageThatIsGivenUpLeavesItsPlace) {
  const ToyLm lm({});
  BatchScheduler scheduler(lm, 2, 8);
  Pass kept(lm, {1}, {}), dropped(lm, {2}, {});
  Task<void> a = go(scheduler, kCost, kept);
  a.start();
  {
    Task<void> b = go(scheduler, kCost, dropped);
    b.start();
    EXPECT_FALSE(scheduler.has_free_slot());
  }
  EXPECT_TRUE(scheduler.has_free_slot());
  while (scheduler.run_pass()) {
  }
  EXPECT_TRUE(a.done());
  EXPECT_EQ(lm.passes()[0], std::vector<size_t>{1});
}

TEST(BatchScheduler, PlacesOfJobsAreSharedAndAPageKeepsOne) {
  const ToyLm lm({});
  BatchScheduler scheduler(lm, 3, 6);
  BatchSlot a(scheduler);
  EXPECT_EQ(a.max_jobs(), 6u);
  BatchSlot b(scheduler);
  EXPECT_EQ(a.max_jobs(), 5u) << "b's first";
  a.set_jobs(4);
  EXPECT_EQ(b.max_jobs(), 2u);
  EXPECT_TRUE(scheduler.has_free_slot());
  b.set_jobs(2);
  EXPECT_FALSE(scheduler.has_free_slot()) << "a third page has no job to run";
  EXPECT_EQ(a.all_jobs(), 6u);
}

}  // namespace
}  // namespace docspec
