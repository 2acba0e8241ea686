#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "emulator/machine/machine_fixture.h"
#include "emulator/memory/host_pages.h"

namespace stepgate::emulator {
namespace {

class MachineMemory : public MachineTest {
 protected:
  MachineMemory() : MachineTest("t4:2 memory_mib=1544") {}  // 1 GiB besides the context
};

TEST_F(MachineMemory, IsFullWhenItsBytesAreTaken) {
  EXPECT_EQ(machine_.memory_info(0).free_bytes, 1ULL << 30U);
  void* most = machine_.allocate(me_, 1000ULL << 20U).address;
  ASSERT_NE(most, nullptr);
  EXPECT_EQ(machine_.allocate(me_, 25ULL << 20U).outcome, Outcome::out_of_memory);
  EXPECT_EQ(machine_.allocate(on_device(1), 25ULL << 20U).outcome, Outcome::ok);
  EXPECT_EQ(machine_.free(me_, most), Outcome::ok);
  EXPECT_EQ(machine_.memory_info(0).free_bytes, 1ULL << 30U);
  EXPECT_EQ(machine_.allocate(on_device(2), 1).outcome, Outcome::invalid_device);
}

TEST_F(MachineMemory, AFreeWaitsForTheDevice) {
  char* device = device_bytes(8);
  kernel(stream(), 1'000'000, 'a');
  EXPECT_EQ(machine_.free(me_, device), Outcome::ok);
  EXPECT_EQ(written_, "a");
  EXPECT_EQ(log_.totals().waits.at("call free"), 1U);
  EXPECT_EQ(machine_.free(me_, device), Outcome::invalid_value);
  EXPECT_EQ(machine_.free(me_, nullptr), Outcome::ok);
}

TEST_F(MachineMemory, AllocationsAreToldByKind) {
  char* device = device_bytes(100);
  char* pinned = pinned_bytes(200);
  std::vector<char> own(300);
  machine_.register_host(me_, own.data(), own.size());
  EXPECT_EQ(machine_.allocate(me_, 400, MemoryKind::managed).outcome, Outcome::ok);
  EXPECT_EQ(machine_.free_host(me_, device), Outcome::invalid_value);
  EXPECT_EQ(machine_.free(me_, pinned), Outcome::invalid_value);
  EXPECT_EQ(machine_.free_host(me_, pinned), Outcome::ok);
  EXPECT_EQ(machine_.unregister_host(me_, own.data()), Outcome::ok);
  const LogTotals totals = log_.totals();
  EXPECT_EQ(totals.allocations.at("device").bytes, 100U);
  EXPECT_EQ(totals.allocations.at("pinned").bytes, 200U);
  EXPECT_EQ(totals.allocations.at("registered").bytes, 300U);
  EXPECT_EQ(totals.allocations.at("managed").bytes, 400U);
  EXPECT_EQ(totals.frees.at("pinned").bytes, 200U);
  EXPECT_EQ(totals.frees.at("registered").bytes, 300U);
  EXPECT_EQ(totals.frees.count("device"), 0U);
}

TEST_F(MachineMemory, ABlockSaysWhoseItIs) {
  char* device = device_bytes(100, 1);
  ASSERT_TRUE(machine_.block_of(device + 50));
  EXPECT_EQ(machine_.block_of(device + 50)->device, 1);
  EXPECT_EQ(machine_.block_of(device + 50)->kind, MemoryKind::device);
  char own = 0;
  EXPECT_FALSE(machine_.block_of(&own));
}

TEST_F(MachineMemory, AnAsynchronousFreeComesInTheOrderOfTheStream) {
  const StreamHandle one = stream();
  char* device = static_cast<char*>(machine_.allocate_async(me_, 1000, one).address);
  ASSERT_NE(device, nullptr);
  machine_.set(me_, {.to = device, .value = 1, .bytes = 1000, .stream = one});
  EXPECT_EQ(machine_.free_async(me_, device, one), Outcome::ok);
  EXPECT_EQ(machine_.free_async(me_, device, one), Outcome::invalid_value);
  EXPECT_EQ(machine_.pool_use(0).used_bytes, 0U);
  EXPECT_EQ(machine_.pool_use(0).reserved_bytes, pool_piece_bytes);
  EXPECT_TRUE(machine_.block_of(device)) << "the memset still needs it";
  machine_.set_pool_threshold(0, pool_piece_bytes);
  EXPECT_EQ(synchronize(one), Outcome::ok);
  EXPECT_FALSE(machine_.block_of(device));
  EXPECT_EQ(machine_.pool_use(0).reserved_bytes, pool_piece_bytes) << "the threshold keeps it";
  machine_.set_pool_threshold(0, 0);
  synchronize(one);
  EXPECT_EQ(machine_.pool_use(0).reserved_bytes, 0U);
  EXPECT_EQ(log_.totals().allocations.at("pooled").bytes, 1000U);
  EXPECT_EQ(log_.totals().frees.at("pooled").bytes, 1000U);
}

TEST_F(MachineMemory, EachKindOfWaitGivesWhatAPoolNeedNotHoldBack) {
  const StreamHandle one = stream();
  const EventHandle done = event();
  const auto hold_a_piece = [&] {
    void* device = machine_.allocate_async(me_, 1000, one).address;
    machine_.free_async(me_, device, one);
    machine_.record_event(me_, done, one);
    EXPECT_EQ(machine_.pool_use(0).reserved_bytes, pool_piece_bytes);
  };
  hold_a_piece();
  synchronize(one);
  EXPECT_EQ(machine_.pool_use(0).reserved_bytes, 0U) << "stream";
  hold_a_piece();
  machine_.synchronize_event(me_, done);
  EXPECT_EQ(machine_.pool_use(0).reserved_bytes, 0U) << "event";
  hold_a_piece();
  machine_.synchronize_device(me_);
  EXPECT_EQ(machine_.pool_use(0).reserved_bytes, 0U) << "device";
}

TEST_F(MachineMemory, MappedRangesAreMemory) {
  constexpr std::uint64_t page = device_page_bytes;
  char* range = static_cast<char*>(machine_.reserve_range(4 * page).address);
  const PhysicalMade piece = machine_.create_physical(0, page);
  ASSERT_EQ(piece.outcome, Outcome::ok);
  ASSERT_EQ(machine_.map_range({range, page, piece.memory}), Outcome::ok);
  ASSERT_EQ(machine_.allow_range(range, page), Outcome::ok);
  const StreamHandle one = stream();
  EXPECT_EQ(machine_.set(me_, {.to = range, .value = 'm', .bytes = 3, .stream = one}), Outcome::ok);
  synchronize(one);
  EXPECT_EQ(range[2], 'm');
  EXPECT_EQ(machine_.unmap_range(range, page), Outcome::ok);
  EXPECT_EQ(machine_.release_physical(piece.memory), Outcome::ok);
  EXPECT_EQ(machine_.free_range(range, 4 * page), Outcome::ok);
  EXPECT_EQ(log_.totals().allocations.at("mapped").bytes, page);
  EXPECT_EQ(log_.totals().frees.at("mapped").bytes, page);
  EXPECT_EQ(machine_.create_physical(9, page).outcome, Outcome::invalid_device);
}

/// Three pieces of a page, of which a hole may be left out.
class MappedPieces : public MachineMemory {
 protected:
  static constexpr std::uint64_t page = device_page_bytes;

  void map(std::uint64_t place, bool has_access = true) {
    const PhysicalMade piece = machine_.create_physical(0, page);
    ASSERT_EQ(machine_.map_range({range_ + place * page, page, piece.memory}), Outcome::ok);
    if (!has_access) return;
    ASSERT_EQ(machine_.allow_range(range_ + place * page, page), Outcome::ok);
  }
  Outcome set(char* to, std::uint64_t bytes) {
    return machine_.set(me_, {.to = to, .value = 'm', .bytes = bytes, .stream = default_stream});
  }

  char* const range_ = static_cast<char*>(machine_.reserve_range(4 * page).address);
};

TEST_F(MappedPieces, AreOneMemoryForCopiesAndMemsets) {
  for (const std::uint64_t place : {0U, 1U, 2U}) map(place);
  EXPECT_EQ(set(range_ + 1, 3 * page - 1), Outcome::ok);
  synchronize(default_stream);
  EXPECT_EQ(range_[0], 0);
  EXPECT_EQ(range_[3 * page - 1], 'm');
  char* pinned = pinned_bytes(2 * page);
  EXPECT_EQ(copy(pinned, range_ + page / 2, 2 * page, default_stream), Outcome::ok);
  EXPECT_EQ(copy(range_ + page / 2, pinned, 2 * page, default_stream), Outcome::ok);
  EXPECT_EQ(set(range_ + 1, 3 * page), Outcome::invalid_value) << "the last page holds nothing";
}

TEST_F(MappedPieces, AHoleEndsACopy) {
  map(0);
  map(2);
  EXPECT_EQ(set(range_, page + 1), Outcome::invalid_value);
  EXPECT_EQ(set(range_, 3 * page), Outcome::invalid_value);
  char* pinned = pinned_bytes(3 * page);
  EXPECT_EQ(copy(pinned, range_, 3 * page, default_stream), Outcome::invalid_value);
  EXPECT_EQ(copy(range_ + page - 1, pinned, 2, default_stream), Outcome::invalid_value);
}

TEST_F(MappedPieces, APieceThatNoDeviceMayUseEndsACopy) {
  map(0);
  map(1, false);
  EXPECT_EQ(set(range_, page), Outcome::ok);
  EXPECT_EQ(set(range_, page + 1), Outcome::invalid_value);
  EXPECT_EQ(set(range_ + page, 1), Outcome::invalid_value);
  ASSERT_EQ(machine_.allow_range(range_, 2 * page), Outcome::ok);
  EXPECT_EQ(set(range_, 2 * page), Outcome::ok);
}

TEST_F(MachineMemory, PeerAccessNeedsALink) {
  EXPECT_EQ(machine_.enable_peer_access(0, 1), Outcome::not_supported) << "a T4 has none";
  EmulatedMachine linked(read_machine_options("h100:2"));
  EXPECT_EQ(linked.enable_peer_access(0, 1), Outcome::ok);
  EXPECT_EQ(linked.enable_peer_access(0, 1), Outcome::peer_access_enabled);
  EXPECT_TRUE(linked.has_peer_access(0, 1));
  EXPECT_FALSE(linked.has_peer_access(1, 0));
  EXPECT_EQ(linked.enable_peer_access(0, 0), Outcome::invalid_device);
  EXPECT_EQ(linked.enable_peer_access(0, 2), Outcome::invalid_device);
  EXPECT_EQ(linked.disable_peer_access(0, 1), Outcome::ok);
  EXPECT_EQ(linked.disable_peer_access(0, 1), Outcome::peer_access_missing);
}

}  // namespace
}  // namespace stepgate::emulator
