#include "support/image_loader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

namespace stepgate {
namespace {

/// Each pixel and the label show the origin of the sample without a seed; some samples are slow, one may be broken.
class Numbered : public ImageSamples {
 public:
  explicit Numbered(std::int64_t count, std::int64_t broken = -1) : count_(count), broken_(broken) {}
  std::int64_t count() const override { return count_; }
  ImageShape shape() const override { return {1, 2, 3}; }
  std::int64_t load(const SampleKey& key, std::span<float> pixels) const override {
    if (key.index == broken_) throw std::runtime_error("sample " + std::to_string(key.index) + " is broken");
    // Unequal work, so that several workers finish out of order.
    if (key.index % 3 == 0) std::this_thread::sleep_for(std::chrono::microseconds(300));
    const std::int64_t drawn = SampleDraws(1, key).whole(0, 0, 1000);
    for (float& pixel : pixels) pixel = static_cast<float>(drawn);
    return key.epoch * 1000 + key.index;
  }

 private:
  std::int64_t count_;
  std::int64_t broken_;
};

ImageLoader loader_of(std::int64_t samples, std::int64_t workers, std::uint64_t seed = 1) {
  return {std::make_shared<Numbered>(samples),
          {.batch_size = 4, .workers = workers, .prefetch_batches = workers + 1},
          seed};
}

std::vector<std::int64_t> labels_of(const Batch& batch) {
  const auto* labels = batch.tensors[1].const_data_ptr<std::int64_t>();
  return {labels, labels + batch.tensors[1].numel()};
}

TEST(ImageLoader, BatchesAreShapedAndCounted) {
  auto loader = loader_of(10, 0);
  const Batch batch = loader.next();
  ASSERT_EQ(batch.tensors.size(), 2U);
  EXPECT_EQ(batch.tensors[0].sizes(), (std::vector<std::int64_t>{4, 1, 2, 3}));
  EXPECT_EQ(batch.tensors[0].scalar_type(), torch::kFloat32);
  EXPECT_EQ(batch.tensors[1].sizes(), (std::vector<std::int64_t>{4}));
  EXPECT_EQ(batch.tensors[1].scalar_type(), torch::kInt64);
  EXPECT_EQ(batch.samples, 4);
  EXPECT_EQ(batch.padded_tokens, 0);
}

TEST(ImageLoader, TheNumberOfWorkersChangesNoBitAndNoOrder) {
  auto none = loader_of(50, 0);
  auto one = loader_of(50, 1);
  auto three = loader_of(50, 3);
  for (int step = 0; step < 2 * 12 + 1; ++step) {  // two epochs of 12 batches, and the first of a third
    const Batch expected = none.next();
    for (ImageLoader* loader : {&one, &three}) {
      const Batch batch = loader->next();
      EXPECT_TRUE(torch::equal(batch.tensors[0], expected.tensors[0])) << "step " << step;
      EXPECT_EQ(labels_of(batch), labels_of(expected)) << "step " << step;
    }
  }
}

TEST(ImageLoader, EachEpochShowsEverySampleOnceInAnOrderOfItsOwn) {
  auto loader = loader_of(12, 2);
  std::vector<std::vector<std::int64_t>> epochs(2);
  for (std::int64_t epoch = 0; epoch < 2; ++epoch) {
    for (int step = 0; step < 3; ++step) {
      for (const std::int64_t label : labels_of(loader.next())) {
        EXPECT_EQ(label / 1000, epoch);
        epochs[static_cast<std::size_t>(epoch)].push_back(label % 1000);
      }
    }
  }
  for (const auto& epoch : epochs) EXPECT_EQ(std::set(epoch.begin(), epoch.end()).size(), 12U);
  EXPECT_NE(epochs[0], epochs[1]);
}

TEST(ImageLoader, IncompleteBatchesAreLeftOut) {
  auto loader = loader_of(7, 0);
  EXPECT_EQ(labels_of(loader.next())[0] / 1000, 0);
  const Batch second = loader.next();
  EXPECT_EQ(second.samples, 4);
  EXPECT_EQ(labels_of(second)[0] / 1000, 1) << "the next epoch, not the three that are left";
}

TEST(ImageLoader, ADifferentSeedIsADifferentOrder) {
  auto one = loader_of(50, 0, 1);
  auto other = loader_of(50, 0, 2);
  EXPECT_NE(labels_of(one.next()), labels_of(other.next()));
}

TEST(ImageLoader, TheGlobalGeneratorIsLeftAlone) {
  torch::manual_seed(11);
  const auto expected = torch::rand({4});
  torch::manual_seed(11);
  auto loader = loader_of(12, 0);
  for (int step = 0; step < 4; ++step) loader.next();
  EXPECT_TRUE(torch::equal(torch::rand({4}), expected));
}

TEST(ImageLoader, ABrokenSampleThrowsItsOwnMessage) {
  const auto samples = std::make_shared<Numbered>(4, 2);
  ImageLoader synchronous(samples, {.batch_size = 4}, 1);
  ImageLoader threaded(samples, {.batch_size = 4, .workers = 2}, 1);
  for (ImageLoader* loader : {&synchronous, &threaded}) {
    try {
      loader->next();
      FAIL() << "a broken sample was delivered";
    } catch (const std::exception& error) {
      EXPECT_THAT(error.what(), testing::HasSubstr("sample 2 is broken"));
    }
  }
}

TEST(ImageLoader, EndsWhileWorkersRun) {
  for (int i = 0; i < 20; ++i) loader_of(50, 3).next();
}

TEST(ImageLoader, RefusesInvalidShapes) {
  const auto samples = std::make_shared<Numbered>(10);
  EXPECT_NO_THROW(ImageLoader(samples, {.batch_size = 10}, 1));
  EXPECT_THROW(ImageLoader(samples, {.batch_size = 11}, 1), std::invalid_argument);
  EXPECT_THROW(ImageLoader(samples, {.batch_size = 0}, 1), std::invalid_argument);
  EXPECT_THROW(ImageLoader(samples, {.batch_size = 2, .workers = -1}, 1), std::invalid_argument);
  EXPECT_THROW(ImageLoader(samples, {.batch_size = 2, .workers = 1, .prefetch_batches = 0}, 1), std::invalid_argument);
}

}  // namespace
}  // namespace stepgate
