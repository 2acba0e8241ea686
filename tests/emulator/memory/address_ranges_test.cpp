#include "emulator/memory/address_ranges.h"

#include <gtest/gtest.h>

#include <cstring>

#include "emulator/memory/host_pages.h"

namespace stepgate::emulator {
namespace {

constexpr std::uint64_t whole_page = device_page_bytes;

class AddressRangesTest : public testing::Test {
 protected:
  char* reserved(std::uint64_t bytes) { return static_cast<char*>(ranges_.reserve(bytes).address); }

  DeviceMemory memory_{{context_bytes + 8 * whole_page}};
  AddressRanges ranges_{memory_};
};

TEST_F(AddressRangesTest, OnlyPhysicalMemoryCounts) {
  ASSERT_NE(reserved(100 * whole_page), nullptr) << "more than the device has";
  EXPECT_EQ(memory_.info(0).free_bytes, 8 * whole_page);
  EXPECT_EQ(ranges_.create(0, 3 * whole_page).outcome, Outcome::ok);
  EXPECT_EQ(memory_.info(0).free_bytes, 5 * whole_page);
  EXPECT_EQ(ranges_.create(0, 6 * whole_page).outcome, Outcome::out_of_memory);
}

TEST_F(AddressRangesTest, SizesAreWholePages) {
  EXPECT_EQ(ranges_.reserve(whole_page + 1).outcome, Outcome::invalid_value);
  EXPECT_EQ(ranges_.reserve(0).outcome, Outcome::invalid_value);
  EXPECT_EQ(ranges_.create(0, 100).outcome, Outcome::invalid_value);
}

TEST_F(AddressRangesTest, MappedMemoryIsFoundAndHoldsValues) {
  char* range = reserved(4 * whole_page);
  const PhysicalMade piece = ranges_.create(0, 2 * whole_page);
  ASSERT_EQ(ranges_.map({range + whole_page, 2 * whole_page, piece.memory}), Outcome::ok);
  ASSERT_EQ(ranges_.allow_access(range + whole_page, 2 * whole_page), Outcome::ok);
  std::memset(range + whole_page, 7, 2 * whole_page);
  EXPECT_EQ(memory_.find(range), nullptr);
  ASSERT_NE(memory_.find(range + 3 * whole_page - 1), nullptr);
  EXPECT_EQ(memory_.find(range + 3 * whole_page - 1)->kind, MemoryKind::mapped);
  EXPECT_EQ(memory_.find(range + 3 * whole_page), nullptr);
}

TEST_F(AddressRangesTest, APlaceIsMappedOnce) {
  char* range = reserved(4 * whole_page);
  const PhysicalMemory one = ranges_.create(0, 2 * whole_page).memory;
  const PhysicalMemory other = ranges_.create(0, 2 * whole_page).memory;
  ASSERT_EQ(ranges_.map({range, 2 * whole_page, one}), Outcome::ok);
  EXPECT_EQ(ranges_.map({range + whole_page, 2 * whole_page, other}), Outcome::invalid_value) << "overlaps";
  EXPECT_EQ(ranges_.map({range + 2 * whole_page, 2 * whole_page, one}), Outcome::not_supported)
      << "one memory at two places";
  EXPECT_EQ(ranges_.map({range + 3 * whole_page, 2 * whole_page, other}), Outcome::invalid_value) << "beyond the range";
  EXPECT_EQ(ranges_.map({range + 2 * whole_page, whole_page, other}), Outcome::invalid_value) << "a part of the memory";
  EXPECT_EQ(ranges_.map({range + 2 * whole_page, 2 * whole_page, 99}), Outcome::invalid_value) << "no such memory";
  EXPECT_EQ(ranges_.map({range + 2 * whole_page, 2 * whole_page, other}), Outcome::ok);
}

TEST_F(AddressRangesTest, MemoryGoesWhenItIsNeitherHeldNorMapped) {
  char* range = reserved(2 * whole_page);
  const PhysicalMemory piece = ranges_.create(0, 2 * whole_page).memory;
  ASSERT_EQ(ranges_.map({range, 2 * whole_page, piece}), Outcome::ok);
  EXPECT_EQ(ranges_.release(piece), Outcome::ok);
  EXPECT_EQ(ranges_.release(piece), Outcome::invalid_value);
  EXPECT_EQ(memory_.info(0).free_bytes, 6 * whole_page) << "still mapped";
  EXPECT_EQ(ranges_.unmap(range, 2 * whole_page), Outcome::ok);
  EXPECT_EQ(memory_.info(0).free_bytes, 8 * whole_page);
  EXPECT_EQ(memory_.find(range), nullptr);
}

TEST_F(AddressRangesTest, WholeMappingsAreUnmappedTogether) {
  char* range = reserved(4 * whole_page);
  for (int place = 0; place < 3; ++place) {
    const PhysicalMemory piece = ranges_.create(0, whole_page).memory;
    ASSERT_EQ(ranges_.map({range + place * whole_page, whole_page, piece}), Outcome::ok);
    ASSERT_EQ(ranges_.release(piece), Outcome::ok);
  }
  EXPECT_EQ(ranges_.unmap(range, 4 * whole_page), Outcome::invalid_value) << "the last page holds nothing";
  EXPECT_EQ(ranges_.unmap(range, whole_page / 2), Outcome::invalid_value);
  EXPECT_EQ(ranges_.allow_access(range, 3 * whole_page), Outcome::ok);
  EXPECT_EQ(ranges_.unmap(range, 3 * whole_page), Outcome::ok);
  EXPECT_EQ(memory_.info(0).free_bytes, 8 * whole_page);
}

TEST_F(AddressRangesTest, ARangeIsFreedWholeAndEmpty) {
  char* range = reserved(2 * whole_page);
  const PhysicalMemory piece = ranges_.create(0, whole_page).memory;
  ASSERT_EQ(ranges_.map({range, whole_page, piece}), Outcome::ok);
  EXPECT_EQ(ranges_.free(range, 2 * whole_page), Outcome::illegal_state);
  ASSERT_EQ(ranges_.unmap(range, whole_page), Outcome::ok);
  EXPECT_EQ(ranges_.free(range, whole_page), Outcome::invalid_value);
  EXPECT_EQ(ranges_.free(range, 2 * whole_page), Outcome::ok);
  EXPECT_EQ(ranges_.free(range, 2 * whole_page), Outcome::invalid_value);
}

}  // namespace
}  // namespace stepgate::emulator
