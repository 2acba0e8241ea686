// The machine's own account of what a program did: a second opinion on every counter of stepgate.
#pragma once

#include <cstdint>
#include <fstream>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include "emulator/machine/machine_observer.h"

namespace stepgate::emulator {

/// Of one kind of work.
struct LoggedAmount {
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
  std::uint64_t not_moved = 0;  ///< of the count: larger than what the machine moves
};

/// Everything between two marks. A graph's operations count where a launch planned them.
struct LogTotals {
  std::map<std::string, std::uint64_t> calls;            ///< by name of the function
  std::map<std::string, std::uint64_t> own_kernels;      ///< by mangled name
  std::map<std::string, std::uint64_t> library_kernels;  ///< calls of math libraries
  std::map<std::string, LoggedAmount> copies;            ///< "host_to_device", "host_to_device pageable", ...
  LoggedAmount memsets;
  std::map<std::string, LoggedAmount> collectives;
  std::map<std::string, std::uint64_t> waits;  ///< by "cudaStreamSynchronize stream"
  std::uint64_t graph_launches = 0;
  std::uint64_t graph_nodes = 0;
  std::map<std::string, LoggedAmount> allocations;  ///< by kind: "device", "pinned", ...
  std::map<std::string, LoggedAmount> frees;
};

/// One JSON object: the totals, keys in the order of LogTotals and of the names.
std::string json_of(const LogTotals& totals, std::string_view mark);

/// Counts, and with a path writes one line of JSON for each stretch that ends with a mark: a program that stepgate
/// measures marks each step, so that log and run record can be compared step by step.
class CallLog : public MachineObserver {
 public:
  /// "": counts only.
  explicit CallLog(const std::string& path);

  void left(const ApiCall& call) override;
  void planned(const PlannedOperation& planned) override;
  void waited(const HostWait& wait) override;
  void allocated(const MemoryCall& call) override;
  void launched_graph(GraphHandle graph, std::size_t nodes) override;

  /// Ends a stretch: "counts 3".
  void mark(std::string_view text);
  /// Of the stretch that is open.
  LogTotals totals() const;
  /// The last stretch, and the file's end. What other threads mark afterwards is not written.
  void close();

 private:
  void write_stretch(std::string_view text);

  mutable std::mutex mutex_;
  LogTotals totals_;
  std::ofstream file_;
};

}  // namespace stepgate::emulator
