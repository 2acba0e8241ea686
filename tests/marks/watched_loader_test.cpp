#include "stepgate/watched_loader.h"

#include <gtest/gtest.h>

#include <vector>

#include "marks/scripted_clock.h"
#include "stepgate/step_timer.h"

namespace stepgate {
namespace {

using test::pass_time;
using test::scripted_clock;

/// Waits where LibTorch's DataLoader does: for the first batch in the comparison, for later ones in ++; no copies.
class SlowLoader {
 public:
  explicit SlowLoader(int batches) : batches_(batches) {}

  class Iterator {
   public:
    explicit Iterator(SlowLoader* loader) : loader_(loader) {}
    int& operator*() { return *at_; }
    Iterator& operator++() {
      fetch();
      return *this;
    }
    bool operator==(const Iterator& other) {
      if (loader_ != nullptr && !started_) fetch();
      return (at_ == nullptr) == (other.at_ == nullptr);
    }
    bool operator!=(const Iterator& other) { return !(*this == other); }

   private:
    void fetch() {
      pass_time(100);
      started_ = true;
      ++loader_->fetched;
      at_ = loader_->next_ < loader_->batches_ ? &loader_->next_ : nullptr;
      ++loader_->next_;
    }
    SlowLoader* loader_;
    int* at_ = nullptr;
    bool started_ = false;
  };

  Iterator begin() {
    next_ = 0;
    return Iterator(this);
  }
  Iterator end() { return Iterator(nullptr); }

  int fetched = 0;

 private:
  int batches_;
  int next_ = 0;
};

void train_epoch(StepMarks& marks, SlowLoader& loader, int& steps) {
  for (int& batch : watched(marks, loader)) {
    EXPECT_GE(batch, 0);
    marks.loaded({.samples = 1});
    pass_time(7);
    marks.forward_done(at::Tensor());
    ++steps;
  }
}

TEST(WatchedLoader, WaitsForDataInDataWaitOnly) {
  StepTimer timer({.clock = scripted_clock});
  SlowLoader loader(3);
  int steps = 0;
  train_epoch(timer, loader, steps);
  EXPECT_EQ(steps, 3);
  const StepSummary summary = timer.summary();
  ASSERT_EQ(summary.steps, 3);
  EXPECT_EQ(summary.of(Boundary::data_wait)->median_ns, 100);
  EXPECT_EQ(summary.of(Boundary::data_wait)->p90_ns, 100) << "the first batch, too";
  EXPECT_EQ(summary.of(Boundary::forward)->median_ns, 7);
  EXPECT_EQ(summary.of(Boundary::logging)->p90_ns, 0);
}

TEST(WatchedLoader, AnEpochsEndIsWaitingForData) {
  StepTimer timer({.clock = scripted_clock});
  SlowLoader loader(2);
  int steps = 0;
  for (int epoch = 0; epoch < 2; ++epoch) train_epoch(timer, loader, steps);
  EXPECT_EQ(steps, 4);
  EXPECT_EQ(timer.summary().of(Boundary::data_wait)->p90_ns, 200) << "the end that was found, and the first batch";
}

TEST(WatchedLoader, FetchesNothingOnceTheTrainingIsOver) {
  StepTimer timer({.steps = 2, .clock = scripted_clock});
  SlowLoader loader(5);
  int steps = 0;
  for (int epoch = 0; epoch < 3; ++epoch) train_epoch(timer, loader, steps);
  EXPECT_EQ(steps, 2);
  EXPECT_EQ(loader.fetched, 2);
}

}  // namespace
}  // namespace stepgate
