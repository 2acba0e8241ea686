#include "measure/profile/experiments/loader_pace.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "measure/scripts.h"

namespace stepgate {
namespace {

/// A loader with workers in virtual time: a batch takes `period` to make, `depth` wait at most.
class QueuedLoader : public StepActions {
 public:
  QueuedLoader(FakeBackend& backend, LoaderFacts facts) : backend_(backend), facts_(facts) {}
  void run(Boundary boundary, std::int64_t /*step*/) override {
    ASSERT_EQ(boundary, Boundary::data_wait) << "only batches are drawn";
    const std::int64_t now_ns = backend_.now_ns();
    // What was not taken fills the queue.
    next_ready_ns_ = std::max(next_ready_ns_, now_ns - facts_.depth * facts_.period_ns + facts_.period_ns);
    if (next_ready_ns_ > now_ns) backend_.work_on_host(next_ready_ns_ - now_ns);
    next_ready_ns_ += facts_.period_ns;
    ++drawn_;
  }
  BatchInfo batch_info() const override { return {}; }
  void release() override {}
  std::int64_t drawn() const { return drawn_; }

 private:
  FakeBackend& backend_;
  LoaderFacts facts_;
  std::int64_t next_ready_ns_ = 0;
  std::int64_t drawn_ = 0;
};

LoaderFacts probed(LoaderFacts truth) {
  FakeBackend backend(test::like_cpu);
  QueuedLoader loader(backend, truth);
  return probe_loader(loader, backend, [&](std::int64_t ns) { backend.work_on_host(ns); });
}

TEST(ProbeLoader, FindsPeriodAndDepthOfAQueue) {
  const LoaderFacts found = probed({.period_ns = 1'000'000, .depth = 4});
  EXPECT_EQ(found.period_ns, 1'000'000);
  EXPECT_EQ(found.depth, 4);
  EXPECT_FALSE(found.unclear);
}

TEST(ProbeLoader, IsUnclearWhereBatchesComeTooFast) {
  EXPECT_TRUE(probed({.period_ns = 19'000, .depth = 4}).unclear);
  EXPECT_FALSE(probed({.period_ns = 20'000, .depth = 4}).unclear);
}

TEST(ProbeLoader, ALoaderOnTheCallingThreadHasNoQueue) {
  FakeBackend backend(test::like_cpu);
  ScriptedStepPlan plan;
  plan.at(Boundary::data_wait) = {.host_ns = 2'000'000};
  ScriptedStep step(backend, {plan});
  const LoaderFacts found = probe_loader(step, backend, [&](std::int64_t ns) { backend.work_on_host(ns); });
  EXPECT_EQ(found.period_ns, 2'000'000);
  EXPECT_EQ(found.depth, 0);
}

/// Time per step of `step_ns` of compute behind a loader of `facts` that is `delay_ns` slower, after it has settled.
double paced_step_ns(const LoaderFacts& facts, std::int64_t delay_ns, std::int64_t step_ns) {
  LoaderPace pace(facts, delay_ns);
  std::int64_t now_ns = 0;
  std::int64_t real_ready_ns = 0;
  std::int64_t begin_ns = 0;
  constexpr int settling = 20;
  constexpr int steps = 100;
  for (int i = 0; i < settling + steps; ++i) {
    if (i == settling) begin_ns = now_ns;
    const std::int64_t asked_ns = now_ns;
    if (facts.depth > 0) {
      real_ready_ns = std::max(real_ready_ns, now_ns - facts.depth * facts.period_ns) + facts.period_ns;
      now_ns = std::max(now_ns, real_ready_ns);
    } else {
      now_ns += facts.period_ns;
    }
    now_ns = pace.ready_ns(asked_ns, now_ns) + step_ns;
  }
  return static_cast<double>(now_ns - begin_ns) / steps;
}

TEST(LoaderPace, ADelayReachesTheStepWhereTheLoaderIsTheLimit) {
  EXPECT_DOUBLE_EQ(paced_step_ns({.period_ns = 1500, .depth = 2}, 50, 1000), 1550) << "loader-bound: all of it";
  EXPECT_DOUBLE_EQ(paced_step_ns({.period_ns = 300, .depth = 2}, 50, 1000), 1000) << "hidden by the queue";
  EXPECT_DOUBLE_EQ(paced_step_ns({.period_ns = 980, .depth = 2}, 50, 1000), 1030) << "only what the queue cannot hide";
  EXPECT_DOUBLE_EQ(paced_step_ns({.period_ns = 300, .depth = 0}, 50, 1000), 1350) << "no queue: all of it";
}

TEST(LoaderPace, NoMoreBatchesThanTheQueueHoldsAreMadeAhead) {
  LoaderPace pace({.period_ns = 1000, .depth = 2}, 0);
  EXPECT_EQ(pace.ready_ns(0, 0), 1000);
  // A long step follows: two batches are ready after it, and the third is begun when the first of them is taken.
  EXPECT_EQ(pace.ready_ns(10'000, 10'000), 10'000);
  EXPECT_EQ(pace.ready_ns(10'000, 10'000), 10'000);
  EXPECT_EQ(pace.ready_ns(10'000, 10'000), 11'000);
}

}  // namespace
}  // namespace stepgate
