// Sets of NVML's events. The only events are faults (Xid) that the script lets happen.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <utility>

#include "emulator/nvml/nvml_devices.h"

namespace stepgate::emulator {

struct NvmlEvent {
  int place = 0;
  std::int64_t xid = 0;
};

class NvmlEvents {
 public:
  /// `sleep`: called between two looks; tests hand in one that does not sleep.
  NvmlEvents(NvmlDevices& devices, std::function<void(std::int64_t ms)> sleep)
      : devices_(devices), sleep_(std::move(sleep)) {}

  /// Never 0.
  std::uintptr_t create();
  NvmlOutcome destroy(std::uintptr_t set);
  /// A fault that is there already is no event.
  NvmlOutcome watch_faults(std::uintptr_t set, int place);
  /// The next fault that this set has not told of; timeout where none comes.
  NvmlAnswer<NvmlEvent> wait(std::uintptr_t set, std::int64_t timeout_ms);

 private:
  using Known = std::map<int, std::int64_t>;  ///< Xid by place

  NvmlAnswer<NvmlEvent> look(std::uintptr_t set);

  NvmlDevices& devices_;
  std::function<void(std::int64_t)> sleep_;
  std::mutex mutex_;
  std::uintptr_t last_ = 0;
  std::map<std::uintptr_t, Known> sets_;
};

}  // namespace stepgate::emulator
