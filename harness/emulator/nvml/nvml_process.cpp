#include "emulator/nvml/nvml_process.h"

#include <unistd.h>

#include <array>
#include <chrono>
#include <memory>
#include <thread>

#include "emulator/nvml/nvml_users.h"
#include "emulator/process/process_machine.h"

namespace stepgate::emulator {
namespace {

using Clock = std::chrono::steady_clock;

const Clock::time_point loaded_at = Clock::now();

/// A process uses a device from its first allocation or operation on it.
class PresenceObserver final : public MachineObserver {
 public:
  void planned(const PlannedOperation& planned) override { show(planned.device); }
  void allocated(const MemoryCall& call) override {
    if (!call.is_free && call.kind == MemoryKind::device) show(call.device);
  }

 private:
  static constexpr std::size_t most_devices = 256;

  void show(int device) {
    const auto at = static_cast<std::size_t>(device);
    if (at >= most_devices || tried_[at]) return;
    tried_[at] = true;
    // place_of() needs no lock: the list of the devices that are seen never changes.
    shown_[at] = std::make_unique<NvmlPresence>(process_machine().place_of(device));
  }

  std::array<bool, most_devices> tried_{};
  std::array<std::unique_ptr<NvmlPresence>, most_devices> shown_;
};

/// Not freed: the machine calls it until the process ends.
[[maybe_unused]] const bool is_registered = register_observer(*new PresenceObserver);

/// -1 where CUDA_VISIBLE_DEVICES hides the place.
int shown_device_at(int place) {
  const EmulatedMachine& machine = process_machine();
  for (int device = 0; device < machine.devices(); ++device) {
    if (machine.place_of(device) == place) return device;
  }
  return -1;
}

std::int64_t milliseconds() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - loaded_at).count();
}

std::int64_t operations(int place) {
  const int device = shown_device_at(place);
  return device < 0 ? 0 : process_machine().operations_of(device);
}

bool is_lost(int place) {
  const int device = shown_device_at(place);
  return device >= 0 && process_machine().device_outcome(device) == Outcome::device_lost;
}

std::vector<NvmlProcess> processes(int place) {
  std::vector<NvmlProcess> found;
  const int device = shown_device_at(place);
  for (const pid_t process : pids_on_device(place, ::getpid())) {
    NvmlProcess one{static_cast<unsigned>(process), std::nullopt};
    if (process == ::getpid() && device >= 0) {
      const MemoryInfo memory = process_machine().memory_info(device);
      one.used_bytes = memory.total_bytes - memory.free_bytes;
    }
    found.push_back(one);
  }
  return found;
}

}  // namespace

NvmlDevices& process_nvml() {
  static NvmlDevices& devices = *new NvmlDevices(process_machine().options(), process_machine().script(),
                                                 {milliseconds, operations, is_lost, processes});
  return devices;
}

NvmlEvents& process_nvml_events() {
  static NvmlEvents& events = *new NvmlEvents(
      process_nvml(), [](std::int64_t ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); });
  return events;
}

}  // namespace stepgate::emulator
