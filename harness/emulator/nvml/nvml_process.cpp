#include "emulator/nvml/nvml_process.h"

#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "emulator/driver/driver_contexts.h"
#include "emulator/machine/refusal.h"
#include "emulator/nvml/nvml_users.h"
#include "emulator/process/process_machine.h"
#include "emulator/process/thread_state.h"

namespace stepgate::emulator {
namespace {

using Clock = std::chrono::steady_clock;

const Clock::time_point loaded_at = Clock::now();

void refuse_unclear_script() {
  const EmulatedMachine& machine = process_machine();
  const std::string problem = time_problem(machine.options(), machine.script());
  if (!problem.empty()) refuse("script of the devices", problem);
}

/// A process uses a device from the call that gives the device its context. What was allocated or queued before that
/// call ends counts at once.
class PresenceObserver final : public MachineObserver {
 public:
  void left(const ApiCall&) override {
    const int device = thread_state().device;
    if (driver_contexts().is_active(device)) show(device);
  }
  void planned(const PlannedOperation& planned) override { show(planned.device); }
  void allocated(const MemoryCall& call) override {
    if (!call.is_free) show(call.device);
  }

 private:
  static constexpr std::size_t most_devices = 256;

  void show(int device) {
    const auto at = static_cast<std::size_t>(device);
    if (at >= most_devices || tried_[at].exchange(true)) return;
    refuse_unclear_script();
    // place_of() needs no lock: the list of the devices that are seen never changes.
    shown_[at] = std::make_unique<NvmlPresence>(process_machine().place_of(device));
  }

  std::array<std::atomic<bool>, most_devices> tried_{};
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
  static NvmlDevices& devices = []() -> NvmlDevices& {
    refuse_unclear_script();
    return *new NvmlDevices(process_machine().options(), process_machine().script(),
                            {milliseconds, operations, is_lost, processes});
  }();
  return devices;
}

NvmlEvents& process_nvml_events() {
  static NvmlEvents& events = *new NvmlEvents(
      process_nvml(), [](std::int64_t ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); });
  return events;
}

}  // namespace stepgate::emulator
