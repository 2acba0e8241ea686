// The primary context of each device, and which context is current in a thread. LibTorch asks whether a device has a
// context before it calls the runtime in a way that would make one.
#pragma once

#include <cuda.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <optional>

#include "emulator/machine/machine_observer.h"

namespace stepgate::emulator {

/// The most devices that can have a context; the highest number of devices of a machine is lower.
inline constexpr std::size_t most_contexts = 64;

/// A device gets its context by the first call of the runtime that needs one, as it does on a GPU, so this part watches
/// the calls.
class DriverContexts : public MachineObserver {
 public:
  void left(const ApiCall& call) override;

  /// Of cuDevicePrimaryCtxRetain(); the context of a device is the same until the process ends.
  CUcontext retain(int device);
  bool is_active(int device) const;
  /// Absent for a context that is no device's.
  std::optional<int> device_of(CUcontext context) const;

  /// Of the calling thread; nullptr where it has called nothing that needs a context.
  CUcontext current() const;
  /// nullptr: none. Else the context of a device, which becomes the thread's device.
  void set_current(CUcontext context);

 private:
  std::array<std::atomic<bool>, most_contexts> active_{};
};

DriverContexts& driver_contexts();

}  // namespace stepgate::emulator
