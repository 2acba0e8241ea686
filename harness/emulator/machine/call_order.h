// The order of all work of a program, one line each with the operator that caused it. Two runs of which one gets other
// numbers from the device show whether the program depends on them, and where first.
#pragma once

#include <cstddef>
#include <fstream>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "emulator/machine/calling_operator.h"
#include "emulator/machine/machine_observer.h"

namespace stepgate::emulator {

/// Queries are left out, because threads that only ask do so at random. Lines are in the order of the machine's lock.
class CallOrder : public MachineObserver {
 public:
  explicit CallOrder(const std::string& path) : file_(path) {}

  void planned(const PlannedOperation& planned) override;
  void waited(const HostWait& wait) override;
  void allocated(const MemoryCall& call) override;
  void launched_graph(GraphHandle graph, std::size_t nodes) override;

 private:
  void write(const std::string& line);

  std::mutex mutex_;
  std::ofstream file_;
  OperatorFinder operators_;
};

struct OrderDifference {
  std::size_t line = 0;  ///< counted from 1
  std::string one;       ///< "" where this run had ended
  std::string other;
};

/// Where two orders differ first; absent where they are equal.
std::optional<OrderDifference> first_difference(std::string_view one, std::string_view other);

/// "mul" of a line of an order, "" where no operator caused the work.
std::string operator_of_line(std::string_view line);

}  // namespace stepgate::emulator
