// `stepgate doctor --device`: each check of a GPU in a process of its own, then the lines that are judged from them.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "core/study/device_report.h"
#include "environment/gpu/choice/gpu_choice.h"
#include "environment/gpu/gpu_driver.h"
#include "launch/emulated_device.h"

namespace stepgate {

struct DeviceExamination {
  std::filesystem::path program;                  ///< stepgate_device_check
  double timeout_s = 60;                          ///< limit for each process
  GpuDriver* driver = nullptr;                    ///< nullptr: NVML is not there
  std::string no_driver;                          ///< why not
  GpuOffer offer = {};                            ///< the gate's offer; known only if there is a driver
  std::optional<EmulatedGpu> emulated = {};       ///< its processes get this in place of a GPU
  const std::atomic<int>* interrupted = nullptr;  ///< number of a signal; 0 or nullptr: none
  std::function<void(const std::string& run, int done, int all)> on_run = {};  ///< before each process
};

/// Every process gets the first GPU of a known offer, which the gate would take; if the offer is not known, the first
/// process says which one it got. A check that crashes, hangs or writes nonsense is a run of its own, and the others go
/// on. If the first one finds no GPU, none is started after it, unless it was given one: that is a failure. Throws
/// Error(usage) for a wrong offer, Error(measure) if the program cannot be started at all, or ran on an emulated GPU
/// that was not asked for, or the reverse; Interruption after a signal.
DeviceReport examine_device(const DeviceExamination& examination);

}  // namespace stepgate
