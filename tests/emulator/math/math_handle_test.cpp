#include "emulator/math/math_handle.h"

#include <gtest/gtest.h>

namespace stepgate::emulator {
namespace {

struct Opaque;

TEST(MathShelf, KeepsTheStateOfAHandle) {
  MathShelf<MathHandle> shelf;
  auto* const handle = shelf.add_as<Opaque*>({});
  ASSERT_NE(shelf.find(handle), nullptr);
  shelf.find(handle)->stream = 0x10100;
  EXPECT_EQ(shelf.find(handle)->stream, 0x10100U);
  EXPECT_EQ(shelf.size(), 1U);
}

TEST(MathShelf, AHandleIsNotUsedTwice) {
  MathShelf<MathHandle> shelf;
  auto* const first = shelf.add_as<Opaque*>({});
  EXPECT_TRUE(shelf.remove(first));
  EXPECT_FALSE(shelf.remove(first));
  EXPECT_EQ(shelf.find(first), nullptr);
  EXPECT_NE(shelf.add_as<Opaque*>({}), first);
}

TEST(MathShelf, UnknownHandlesAreFound) {
  MathShelf<MathHandle> shelf;
  EXPECT_EQ(shelf.find(nullptr), nullptr);
  EXPECT_EQ(shelf.find(std::uint64_t{1}), nullptr);
}

TEST(MathShelf, HandlesCanBeSmallNumbers) {
  MathShelf<int> shelf(1, 1);
  EXPECT_EQ(shelf.add(7), 1U);
  EXPECT_EQ(shelf.add(8), 2U);
  EXPECT_EQ(*shelf.find(std::uint64_t{2}), 8);
}

TEST(MathShelf, StatesStayWhereTheyAre) {
  MathShelf<int> shelf;
  const std::uint64_t first = shelf.add(1);
  const int* before = shelf.find(first);
  for (int more = 0; more < 100; ++more) shelf.add(more);
  EXPECT_EQ(shelf.find(first), before);
}

}  // namespace
}  // namespace stepgate::emulator
