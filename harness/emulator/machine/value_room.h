// How much of the host's memory a program takes that computes values: what its devices hold is written then.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "emulator/machine/machine_observer.h"
#include "emulator/memory/host_room.h"

namespace stepgate::emulator {

/// Sums what the program has allocated of its devices and of page-locked memory.
class ValueRoom : public MachineObserver {
 public:
  /// `refuse` gets the reason once the host cannot hold more (lack_of_memory). It does not return in a program.
  ValueRoom(const HostRoom& room, std::function<void(const std::string& lack)> refuse);

  void allocated(const MemoryCall& call) override;

 private:
  HostRoom room_;
  std::function<void(const std::string& lack)> refuse_;
  std::uint64_t held_bytes_ = 0;
};

}  // namespace stepgate::emulator
