#include "emulator/memory/device_memory.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <vector>

#include "emulator/memory/host_pages.h"

namespace stepgate::emulator {
namespace {

constexpr std::uint64_t gibibyte = 1ULL << 30U;

/// Two devices; each has a gibibyte besides its context.
DeviceMemory two_devices() { return DeviceMemory({context_bytes + gibibyte, context_bytes + gibibyte}); }

TEST(DeviceMemory, ABlockTakesWholePagesAndIsZero) {
  DeviceMemory memory = two_devices();
  const Allocated block = memory.allocate(0, 5, MemoryKind::device);
  ASSERT_EQ(block.outcome, Outcome::ok);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(block.address) % device_page_bytes, 0U);
  EXPECT_EQ(memory.info(0).free_bytes, gibibyte - device_page_bytes);
  EXPECT_EQ(memory.info(1).free_bytes, gibibyte) << "the other device";
  const std::vector<char> zeros(4096, 0);
  EXPECT_EQ(std::memcmp(block.address, zeros.data(), zeros.size()), 0);
  std::memset(block.address, 1, device_page_bytes);
}

TEST(DeviceMemory, TheLimitIsExact) {
  DeviceMemory memory = two_devices();
  const Allocated first = memory.allocate(0, gibibyte - device_page_bytes, MemoryKind::device);
  ASSERT_EQ(first.outcome, Outcome::ok);
  EXPECT_EQ(memory.allocate(0, device_page_bytes + 1, MemoryKind::device).outcome, Outcome::out_of_memory);
  EXPECT_EQ(memory.allocate(0, device_page_bytes, MemoryKind::device).outcome, Outcome::ok);
  EXPECT_EQ(memory.info(0).free_bytes, 0U);
  EXPECT_EQ(memory.allocate(0, 1, MemoryKind::device).outcome, Outcome::out_of_memory);
  EXPECT_EQ(memory.free(first.address, MemoryKind::device), Outcome::ok);
  EXPECT_EQ(memory.info(0).free_bytes, gibibyte - device_page_bytes);
}

TEST(DeviceMemory, AnImpossibleSizeIsRefused) {
  DeviceMemory memory = two_devices();
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(memory.allocate(0, most, MemoryKind::device).outcome, Outcome::out_of_memory);
  EXPECT_EQ(memory.allocate_host(0, most).outcome, Outcome::out_of_memory);
  EXPECT_EQ(memory.info(0).free_bytes, gibibyte);
}

TEST(DeviceMemory, NoBytesHaveNoAddress) {
  DeviceMemory memory = two_devices();
  EXPECT_EQ(memory.allocate(0, 0, MemoryKind::device).address, nullptr);
  EXPECT_EQ(memory.allocate_host(0, 0).address, nullptr);
  EXPECT_EQ(memory.free(nullptr, MemoryKind::device), Outcome::ok);
}

TEST(DeviceMemory, AnAddressInsideABlockFindsIt) {
  DeviceMemory memory = two_devices();
  char* address = static_cast<char*>(memory.allocate(1, 100, MemoryKind::device).address);
  ASSERT_NE(memory.find(address + 99), nullptr);
  EXPECT_EQ(memory.find(address + 99)->address, address);
  EXPECT_EQ(memory.find(address + 99)->device, 1);
  EXPECT_EQ(memory.find(address + 99)->asked_bytes, 100U);
  EXPECT_EQ(memory.find(address - 1), nullptr);
  EXPECT_EQ(memory.find(address + device_page_bytes), nullptr);
  EXPECT_TRUE(is_device_side(memory.find(address)));
}

TEST(DeviceMemory, OnlyTheStartOfABlockCanBeFreedAndOnlyOnce) {
  DeviceMemory memory = two_devices();
  char* address = static_cast<char*>(memory.allocate(0, 100, MemoryKind::device).address);
  EXPECT_EQ(memory.free(address + 1, MemoryKind::device), Outcome::invalid_value);
  EXPECT_EQ(memory.free(address, MemoryKind::pinned), Outcome::invalid_value) << "no page-locked memory";
  EXPECT_EQ(memory.free(address, MemoryKind::device), Outcome::ok);
  EXPECT_EQ(memory.free(address, MemoryKind::device), Outcome::invalid_value);
}

TEST(DeviceMemory, PageLockedMemoryTakesNoneOfADevice) {
  DeviceMemory memory = two_devices();
  const Allocated block = memory.allocate_host(0, 3 * gibibyte);
  ASSERT_EQ(block.outcome, Outcome::ok);
  EXPECT_EQ(memory.info(0).free_bytes, gibibyte);
  EXPECT_FALSE(is_device_side(memory.find(block.address)));
  EXPECT_EQ(memory.free(block.address, MemoryKind::device), Outcome::invalid_value);
  EXPECT_EQ(memory.free(block.address, MemoryKind::pinned), Outcome::ok);
}

TEST(DeviceMemory, MemoryOfTheProgramIsRegisteredOnce) {
  DeviceMemory memory = two_devices();
  std::vector<char> own(100'000);
  EXPECT_EQ(memory.register_host(own.data(), own.size(), 0), Outcome::ok);
  EXPECT_EQ(memory.register_host(own.data() + 5000, 10, 0), Outcome::already_registered);
  EXPECT_EQ(memory.find(own.data() + 99'999)->kind, MemoryKind::registered);
  EXPECT_EQ(memory.find(own.data() + 100'000), nullptr);
  EXPECT_EQ(memory.free(own.data(), MemoryKind::pinned), Outcome::invalid_value) << "the program's own";
  EXPECT_EQ(memory.unregister_host(own.data() + 1), Outcome::not_registered);
  EXPECT_EQ(memory.unregister_host(own.data()), Outcome::ok);
  EXPECT_EQ(memory.unregister_host(own.data()), Outcome::not_registered);
  EXPECT_EQ(memory.register_host(nullptr, 1, 0), Outcome::invalid_value);
}

TEST(DeviceMemory, ADeviceSmallerThanItsContextHasNothingFree) {
  DeviceMemory memory({context_bytes / 2});
  EXPECT_EQ(memory.info(0).free_bytes, 0U);
  EXPECT_EQ(memory.allocate(0, 1, MemoryKind::device).outcome, Outcome::out_of_memory);
}

}  // namespace
}  // namespace stepgate::emulator
