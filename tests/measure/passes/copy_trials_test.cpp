#include "measure/passes/copy_trials.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "measure/scripts.h"

namespace stepgate {
namespace {

using testing::ElementsAre;

/// Two kinds: the second is three times as slow, and the host needs more time to queue it than the device to copy.
class ScriptedCopies final : public CopyActions {
 public:
  explicit ScriptedCopies(FakeBackend& backend, bool on_host = false) : backend_(backend), on_host_(on_host) {}
  const std::vector<CopySeries>& kinds() const override { return kinds_; }
  void copy(std::size_t kind) override {
    order += std::to_string(kind);
    const std::int64_t ns = kind == 0 ? 100 : 300;
    backend_.work_on_host(on_host_ ? ns : 5000);
    if (!on_host_) backend_.enqueue(Stream::copy, ns);
  }
  std::string order;

 private:
  FakeBackend& backend_;
  bool on_host_;
  std::vector<CopySeries> kinds_ = {
      {.layout = CopyLayout::single, .pinned = true, .bytes = 1000, .tensors = 1, .trial_ns = {}},
      {.layout = CopyLayout::split, .pinned = false, .bytes = 1000, .tensors = 64, .trial_ns = {}}};
};

TEST(CopyTrials, TimesTheLinkAndNotTheHostThatQueues) {
  FakeBackend backend;
  ScriptedCopies copies(backend);
  const CopyTrials trials = run_copies(copies, backend, 3);

  ASSERT_EQ(trials.series.size(), 2u);
  EXPECT_THAT(trials.series[0].trial_ns, ElementsAre(100, 100, 100));
  EXPECT_THAT(trials.series[1].trial_ns, ElementsAre(300, 300, 300));
  EXPECT_EQ(trials.series[1].layout, CopyLayout::split);
  EXPECT_EQ(trials.clock, "virtual");
  EXPECT_FALSE(trials.simulated);
}

/// 64 pieces: the host needs 40 us to queue each, the device 50 us to copy all of them.
class SlowlyQueuedCopies final : public CopyActions {
 public:
  explicit SlowlyQueuedCopies(FakeBackend& backend) : backend_(backend) {}
  const std::vector<CopySeries>& kinds() const override { return kinds_; }
  void copy(std::size_t /*kind*/) override {
    for (std::int64_t piece = 0; piece < kinds_[0].tensors; ++piece) {
      backend_.work_on_host(40'000);
      backend_.enqueue(Stream::copy, 50'000 / kinds_[0].tensors);
    }
  }

 private:
  FakeBackend& backend_;
  std::vector<CopySeries> kinds_ = {
      {.layout = CopyLayout::split, .pinned = true, .bytes = 1000, .tensors = 64, .trial_ns = {}}};
};

TEST(CopyTrials, KeepsTheStreamBusyForAsLongAsQueueingTakes) {
  FakeBackend backend;
  SlowlyQueuedCopies copies(backend);
  const std::int64_t copy_ns = 50'000 / 64 * 64;
  EXPECT_THAT(run_copies(copies, backend, 2).series[0].trial_ns, ElementsAre(copy_ns, copy_ns));
}

TEST(CopyTrials, DoesNotKeepTheStreamBusyForLongerThanNeeded) {
  FakeBackend backend;
  ScriptedCopies copies(backend);  // queueing takes 5 us
  run_copies(copies, backend, 10);
  EXPECT_LT(backend.now_ns(), 22 * 40'000);
}

TEST(CopyTrials, TakesTheHostClockWhereThereAreNoEvents) {
  FakeBackend backend(test::like_cpu);
  ScriptedCopies copies(backend, true);
  const CopyTrials trials = run_copies(copies, backend, 2);
  EXPECT_THAT(trials.series[1].trial_ns, ElementsAre(300, 300));
  EXPECT_TRUE(trials.simulated);
}

TEST(CopyTrials, AlternatesAfterOneUncountedCopyOfEach) {
  FakeBackend backend;
  ScriptedCopies copies(backend);
  run_copies(copies, backend, 2);
  EXPECT_EQ(copies.order, "010101");
}

TEST(CopyTrials, RefusesNoTrials) {
  FakeBackend backend;
  ScriptedCopies copies(backend);
  EXPECT_THROW(run_copies(copies, backend, 0), Error);
}

}  // namespace
}  // namespace stepgate
