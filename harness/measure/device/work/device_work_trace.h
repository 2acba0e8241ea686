// When the device worked: intervals of its own clock, for the device work pass.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace stepgate {

/// The device ran a kernel, a copy or a memset.
struct WorkInterval {
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;

  bool operator==(const WorkInterval&) const = default;
};

/// Length of the union of the intervals, as far as they lie inside `window`: work of several streams at once counts
/// once. Intervals that end before they begin count as nothing.
std::int64_t union_ns(std::vector<WorkInterval> intervals, const WorkInterval& window);

class DeviceWorkTrace {
 public:
  virtual ~DeviceWorkTrace() = default;

  /// Begins to record. "" where it does, else why it cannot.
  virtual std::string start() = 0;
  /// The clock of the intervals; absent where it cannot be read.
  virtual std::optional<std::int64_t> now_ns() = 0;
  /// All the work since start() or the last take(), in any order, or why it is not known completely. Call it between
  /// windows, after a synchronisation.
  virtual std::variant<std::vector<WorkInterval>, std::string> take() = 0;
  virtual void stop() = 0;

 protected:
  DeviceWorkTrace() = default;
  DeviceWorkTrace(const DeviceWorkTrace&) = default;
  DeviceWorkTrace& operator=(const DeviceWorkTrace&) = default;
};

}  // namespace stepgate
