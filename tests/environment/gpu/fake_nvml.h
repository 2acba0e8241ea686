// The script of the fake NVIDIA management library (fake_nvml.cpp), removed at the end of a test.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "environment/gpu/nvml_library.h"
#include "fake_nvml_path.h"

namespace stepgate {

/// set("FAIL", "nvmlDeviceSetPersistenceMode=4 nvmlInit_v2=9") and so on:
///
///   FAIL            function=nvmlReturn_t, separated by blanks; "=15@3": from the third call on; "=15@3!": at the
///   third
///                   call only
///   STATE           file with the state of the driver: "<uuid> <persistence> <core MHz> <memory MHz>" per GPU,
///                   0: unlocked; other processes with this file share the state
///   LOG             file that "init" and "shutdown" are appended to
///   GPUS            how many, 1 to 8; GPUS_OF_OTHERS: how many of them, from the first on, may not be opened
///   UUIDS, NAMES    index=text, separated by blanks, of GPUs with others than the usual ones
///   INSTANCES       with MIG=1, how many instances the first GPU has, to 4
///   CLOCK           core clock in MHz whatever the lock; "1500,1500,1200": one per call, repeated
///   REASONS         bits of the reasons for a low clock; 1: idle
///   COUNTERS        field=nanoseconds, separated by blanks; "270=old": a driver without it; "270=5,9,3": one per call,
///                   then the last; "270=nan", "270=negative", "270=typeless": values that make no sense
///   PROCESSES, MPS  how many are listed; "0,1,2": one per call, then the last. Clients of MPS are in both lists.
///   HIDDEN_NUMBERS  1: every process is listed with the number 0
///   BEYOND          1: a list says that it holds more than fits, and that all went well
///   MIG, VIRTUALIZATION, TEMPERATURE, CPU_MASK (hexadecimal), ECC, COMPUTE_MODE,
///   POWER_LIMIT_MW (one per call, then the last); ENERGY_MJ likewise
///   XIDS            faults, separated by blanks: each set of events tells each once
///   SLOW_MS         how long a reading of the power takes
class FakeNvml {
 public:
  static constexpr const char* path = STEPGATE_FAKE_NVML;
  /// Without MIG, locked memory clocks, MPS, memory use; with functions that newer ones call otherwise.
  static constexpr const char* old_path = STEPGATE_FAKE_NVML_OLD;

  FakeNvml() = default;
  FakeNvml(const FakeNvml&) = delete;
  FakeNvml& operator=(const FakeNvml&) = delete;
  ~FakeNvml() {
    for (const std::string& name : names_) ::unsetenv(name.c_str());
  }

  void set(const std::string& name, const std::string& value) {
    names_.push_back("FAKE_NVML_" + name);
    ::setenv(names_.back().c_str(), value.c_str(), 1);
  }

  static std::string uuid(int index) { return "GPU-fa4e0000-0000-0000-0000-00000000000" + std::to_string(index); }

  static std::string content(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }

 private:
  std::vector<std::string> names_;
};

}  // namespace stepgate
