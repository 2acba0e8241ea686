// The order of all work of a program, one line each with the operator that caused it. Two runs of which one gets other
// numbers from the device show whether the program depends on them, and where first (launch/emulated/work_order.h reads
// them).
//
//   copy device 0 stream 1 device_to_host pageable bytes 4 by _local_scalar_dense at 1a2b30,1a2c10
//   thread 2 kernel device 0 stream 1 mul grid 4,1,1 block 256,1,1 by mul
//
// Threads have numbers in the order of their first lines, and the first one is not named.
// What a program may branch on, a copy to the host, has its calls in the program's own file.
#pragma once

#include <cstddef>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <thread>

#include "emulator/machine/calling_operator.h"
#include "emulator/machine/machine_observer.h"

namespace stepgate::emulator {

/// A longer order is cut, and its last line says so. Own choice: ten times that of the longest case of this repository.
inline constexpr std::size_t most_order_bytes = std::size_t{64} << 20U;

/// Queries are left out, because threads that only ask do so at random. Lines are in the order of the machine's lock.
class CallOrder : public MachineObserver {
 public:
  explicit CallOrder(const std::string& path) : file_(path) {}

  void planned(const PlannedOperation& planned) override;
  void waited(const HostWait& wait) override;
  void allocated(const MemoryCall& call) override;
  void launched_graph(GraphHandle graph, std::size_t nodes) override;

 private:
  void write(const std::string& line, const std::string& place = "");

  std::mutex mutex_;
  std::ofstream file_;
  std::size_t written_bytes_ = 0;
  std::map<std::thread::id, std::size_t> threads_;  ///< numbers, from 1
  OperatorFinder operators_;
};

}  // namespace stepgate::emulator
