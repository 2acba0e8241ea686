#include "emulator/values/random_place.h"

#include <set>

#include "emulator/values/value_comparison.h"

namespace stepgate::emulator {
namespace {

at::Tensor drawn(const RandomPlace& place) { return at::empty({64}).uniform_(0, 1, generator_at(place)); }

TEST(RandomPlace, OnePlaceHasOneSequence) {
  EXPECT_TRUE(at::equal(drawn({.seed = 1, .offset = 4}), drawn({.seed = 1, .offset = 4})));
  EXPECT_FALSE(at::equal(drawn({.seed = 1, .offset = 4}), drawn({.seed = 1, .offset = 8})));
  EXPECT_FALSE(at::equal(drawn({.seed = 1, .offset = 4}), drawn({.seed = 2, .offset = 4})));
  EXPECT_FALSE(at::equal(drawn({.seed = 1, .offset = 4}), drawn({.seed = 4, .offset = 1})));
}

TEST(RandomPlace, NeighbouringPlacesHaveDifferentFirstNumbers) {
  std::set<float> first;
  for (std::uint64_t offset = 0; offset < 400; offset += 4) {
    first.insert(drawn({.seed = 0, .offset = offset})[0].item<float>());
  }
  EXPECT_GT(first.size(), 98U);
}

TEST(RandomPlace, AGraphReadsItsPlaceWhenItIsLaunched) {
  std::int64_t seed = 3;
  std::int64_t offset = 40;
  const RandomSource source{.place = {0, 8}, .seed_at = &seed, .offset_at = &offset};
  EXPECT_EQ(source.now().seed, 3U);
  EXPECT_EQ(source.now().offset, 48U);
  offset = 80;
  EXPECT_EQ(source.now().offset, 88U);
}

}  // namespace
}  // namespace stepgate::emulator
