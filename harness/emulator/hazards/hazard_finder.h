// Finds accesses to one place in memory that nothing in the program orders. It needs no unlucky moment: which of them
// came first in this run does not matter.
#pragma once

#include <cstdint>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "emulator/hazards/access_shadow.h"
#include "emulator/hazards/happens_before.h"
#include "emulator/hazards/hazard.h"
#include "emulator/hazards/hazard_origins.h"
#include "emulator/hazards/reused_blocks.h"
#include "emulator/machine/machine_observer.h"

namespace stepgate::emulator {

/// What it sees: copies, memsets and collectives by themselves; kernels of operators where the operator tells what it
/// reads and writes; accesses of the host by operators on the CPU. It does not see what a program does with a pointer
/// of its own, and kernels outside of operators.
class HazardFinder : public MachineObserver {
 public:
  /// Writes a line for each pair of places when it is first found, at the end of the file: the processes of several
  /// ranks share one. "": only keeps them.
  explicit HazardFinder(const std::string& path);

  void begin_operator(std::uint64_t thread, OperatorCall call);
  std::vector<KernelStream> streams_of_operator(std::uint64_t thread) const;
  void end_operator(std::uint64_t thread);
  /// A caching allocator gives this memory to a new tensor.
  void hand_out(const void* address, std::uint64_t bytes);

  /// From now on the thread's waits for the device order nothing, or again do: those of whoever measures the program
  /// are not the program's.
  void set_own_waits(std::uint64_t thread, bool are_own);

  void submitted(const SubmittedWork& work) override;
  void planned(const PlannedOperation& planned) override;
  void accessed(const AccessedMemory& memory) override;
  void accessed_by_host(const MemoryAccesses& accesses, std::uint32_t origin) override;
  void waits(const HostWait& wait) override;
  void waited(const HostWait& wait) override;
  void answered_done(const HostAnswer& answer) override;
  void acts(std::uint64_t thread) override;
  void allocated(const MemoryCall& call) override;
  void began_graph(const GraphStart& start) override;
  void dropped_event(EventHandle event) override;
  void dropped_executable(GraphHandle executable) override;
  std::uint32_t origin_of_call(std::uint64_t thread) override;

  /// Each pair of places once, in the order in which they were found; at most most_hazards.
  std::vector<Hazard> hazards() const;
  HazardTotals totals() const;
  const HazardOrigins& origins() const { return origins_; }
  /// The last line of the file, which says that it is whole.
  void close();

  /// Own choice: who has so many has one cause.
  static constexpr std::size_t most_hazards = 1000;

 private:
  /// Places, makers and whether they write, of both.
  using PairKey = std::tuple<std::uint32_t, AccessMaker, bool, std::uint32_t, AccessMaker, bool>;

  void take_operation(const Operation& operation, AccessRecord record, const OrderPoint& point);
  void take(const MemoryAccesses& accesses, AccessRecord record, const OrderPoint& point);
  void look_for_hazards(const MemoryAccesses& accesses, const AccessRecord& record, const OrderPoint& point);
  void found(Hazard hazard);
  void take_pooled(const MemoryCall& call);
  void note_host_memory(const MemoryCall& call);
  bool is_host_memory(const void* address) const;
  void bound_room();
  void write_line(const std::string& line);

  mutable std::mutex mutex_;
  std::ofstream file_;
  WorkOrder order_;
  AccessShadow shadow_;
  HazardOrigins origins_;
  ReusedBlocks blocks_;
  struct Freed {
    std::uintptr_t end = 0;
    VectorClock before;
  };
  std::map<std::uintptr_t, Freed> freed_;                 ///< pooled memory, by its begin
  std::map<std::uintptr_t, std::uintptr_t> host_memory_;  ///< page-locked; ends by begin
  std::set<std::uint64_t> own_waits_;                     ///< threads
  std::vector<Hazard> hazards_;
  std::set<PairKey> pairs_;
  HazardTotals totals_;
  std::size_t sweep_at_ = 0;
};

}  // namespace stepgate::emulator
