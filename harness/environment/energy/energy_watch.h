// Watches how much energy the GPUs and the CPU packages use while the steps of one process are timed, from the thread
// that waits for it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/process_place.h"
#include "core/record/evidence.h"
#include "environment/energy/package_energy.h"
#include "environment/gpu/gpu_driver.h"

namespace stepgate {

struct EnergyRequest {
  std::filesystem::path sysroot = "/";
  GpuDriver* driver = nullptr;          ///< nullptr: no GPU is watched
  std::vector<std::string> uuids = {};  ///< GPUs that the process uses
  std::string why_no_gpu = {};          ///< their counters cover other users too
  /// A reason for which nothing can be told, such as a second process that takes turns with this one.
  std::string why_not = {};
};

/// Reads the counters of energy a few times a second while the process is in its e2e pass, and the step that it is in
/// beside them. It never reads in the measured process, and the process does nothing for it.
class EnergyWatch {
 public:
  using PlaceReader = std::function<std::vector<ProcessPlace>()>;

  /// The driver must outlive this.
  explicit EnergyWatch(EnergyRequest request);

  /// Reads if the e2e pass runs and the last reading is 0.2 s old. The places are read before and after the counters.
  void look(const PlaceReader& places, std::int64_t now_ns);
  /// look() at the present time.
  void look(const PlaceReader& places);

  /// Adds gpu_energy_j, package_energy_j and energy_steps between the first and the last reading, or why they are
  /// absent.
  void add_to(Evidence& evidence) const;

 private:
  struct Reading {
    std::int64_t time_ns = 0;
    double step = 0;
    std::optional<double> gpu_j = {};
    std::optional<double> package_j = {};
  };
  std::optional<double> read_gpus();
  std::string why_too_short() const;

  EnergyRequest request_;
  PackageEnergy packages_;
  std::optional<Reading> first_;
  std::optional<Reading> last_;
  std::string why_no_gpu_;
  std::string why_no_package_;
};

}  // namespace stepgate
