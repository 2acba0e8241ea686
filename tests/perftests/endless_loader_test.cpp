#include "stepgate/endless_loader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <atomic>
#include <string>

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A loader that fetches at the same points as LibTorch's and records them.
class ScriptedLoader {
 public:
  class Iterator {
   public:
    explicit Iterator(ScriptedLoader* loader) : loader_(loader) {}
    Iterator& operator++() {
      loader_->events.push_back("increment");
      fetch();
      return *this;
    }
    int& operator*() { return value_; }
    bool operator==(const Iterator& /*end*/) const {
      loader_->events.push_back("compare");
      if (!fetched_) fetch();
      return loader_->at > loader_->last;
    }

   private:
    void fetch() const {
      fetched_ = true;
      value_ = ++loader_->at;
    }
    ScriptedLoader* loader_;
    mutable bool fetched_ = false;
    mutable int value_ = 0;
  };

  explicit ScriptedLoader(int batches, std::vector<std::string>& log) : events(log), last(batches) {}
  Iterator begin() {
    events.push_back("begin");
    at = 0;
    return Iterator(this);
  }
  Iterator end() { return Iterator(this); }

  std::vector<std::string>& events;
  int at = 0;
  int last;
};

TEST(EndlessLoader, FetchesAndWaitsWithinNextOnly) {
  std::vector<std::string> events;
  EndlessLoader loader(std::make_unique<ScriptedLoader>(2, events));
  EXPECT_TRUE(events.empty()) << "nothing is fetched before a request";
  EXPECT_EQ(loader.next(), 1);
  EXPECT_THAT(events, ElementsAre("begin", "compare"));
  events.clear();
  EXPECT_EQ(loader.next(), 2);
  EXPECT_THAT(events, ElementsAre("increment", "compare")) << "not one batch ahead";
  events.clear();
  EXPECT_EQ(loader.next(), 1);
  EXPECT_THAT(events, ElementsAre("increment", "compare", "begin", "compare"));
}

TEST(EndlessLoader, TellsEachEpochBeforeItBegins) {
  std::vector<std::string> events;
  EndlessLoader loader(std::make_unique<ScriptedLoader>(1, events),
                       [&](std::int64_t epoch) { events.push_back("epoch " + std::to_string(epoch)); });
  EXPECT_EQ(loader.epoch(), -1);
  loader.next();
  EXPECT_EQ(loader.epoch(), 0);
  EXPECT_THAT(events, ElementsAre("epoch 0", "begin", "compare"));
  events.clear();
  loader.next();
  EXPECT_EQ(loader.epoch(), 1);
  EXPECT_THAT(events, ElementsAre("increment", "compare", "epoch 1", "begin", "compare"));
}

TEST(EndlessLoader, RefusesALoaderThatHasNothing) {
  std::vector<std::string> events;
  EndlessLoader loader(std::make_unique<ScriptedLoader>(0, events));
  for (const char* epoch : {"epoch 0", "epoch 1"}) {
    try {
      loader.next();
      FAIL() << "an empty epoch gave a batch";
    } catch (const std::runtime_error& error) {
      EXPECT_THAT(error.what(), HasSubstr(std::string(epoch) + " has no batch"));
    }
  }
  EXPECT_THROW(EndlessLoader<ScriptedLoader>(nullptr), std::invalid_argument);
}

/// One number per batch, its own index; one of them throws.
class Numbers : public torch::data::datasets::BatchDataset<Numbers, std::int64_t, std::vector<std::size_t>> {
 public:
  explicit Numbers(std::int64_t broken = -1) : broken_(broken) {}
  std::int64_t get_batch(std::vector<std::size_t> request) override {
    const auto index = static_cast<std::int64_t>(request.front());
    if (index == broken_) throw std::runtime_error("number " + std::to_string(index) + " is broken");
    return index;
  }
  std::optional<std::size_t> size() const override { return 3; }

 private:
  std::int64_t broken_;
};

auto loader_of(Numbers numbers, std::size_t workers) {
  auto options = torch::data::DataLoaderOptions(1).workers(workers);
  if (workers > 0) options.max_jobs(2);  // without workers LibTorch would queue batches that no worker takes
  return EndlessLoader(torch::data::make_data_loader<torch::data::samplers::SequentialSampler>(numbers, options));
}

TEST(EndlessLoader, RepeatsTheEpochsOfLibTorchsDataLoader) {
  for (const std::size_t workers : {0U, 1U, 2U}) {
    auto loader = loader_of(Numbers(), workers);
    std::vector<std::int64_t> seen;
    for (int i = 0; i < 7; ++i) seen.push_back(loader.next());
    EXPECT_THAT(seen, ElementsAre(0, 1, 2, 0, 1, 2, 0)) << workers << " workers";
    EXPECT_EQ(loader.epoch(), 2);
  }
}

TEST(EndlessLoader, AWorkersExceptionComesOutAsItIs) {
  for (const std::int64_t broken : {0, 1}) {  // fetched by the comparison, by the increment
    auto loader = loader_of(Numbers(broken), 1);
    for (std::int64_t good = 0; good < broken; ++good) EXPECT_EQ(loader.next(), good);
    try {
      loader.next();
      FAIL() << "a broken batch was delivered";
    } catch (const torch::data::WorkerException& error) {
      EXPECT_THAT(error.what(), HasSubstr("number " + std::to_string(broken) + " is broken"));
    }
    EXPECT_EQ(loader.next(), broken + 1) << "continues after the broken one";
  }
}

}  // namespace
}  // namespace stepgate
