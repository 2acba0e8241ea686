// What NVML says of the emulated devices, from the model, the script and what this process has set. No vendor header,
// so that the unit tests cover it; nvml_calls.cpp and its neighbours translate.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/model/device_script.h"
#include "emulator/model/machine_options.h"

namespace stepgate::emulator {

/// Numbers of nvmlReturn_t; nvml_calls.cpp compares them with the header. A script may give any other number.
enum class NvmlOutcome : int {
  ok = 0,
  uninitialized = 1,
  invalid_argument = 2,
  not_supported = 3,
  no_permission = 4,
  not_found = 6,
  insufficient_size = 7,
  timeout = 10,
  gpu_is_lost = 15,
  version_mismatch = 25,
};

/// Own words: "the GPU is lost".
std::string_view text_of_nvml_outcome(NvmlOutcome outcome);

template <typename Value>
struct NvmlAnswer {
  NvmlOutcome outcome = NvmlOutcome::ok;
  Value value{};
};

/// A device of the machine, or an instance of one that MIG splits.
struct NvmlDevice {
  static constexpr int whole = -1;
  int place = 0;         ///< on the machine
  int instance = whole;  ///< from 0
};

/// A number that NVML reads of a device, in NVML's unit.
enum class NvmlReading {
  core_clock_mhz,
  memory_clock_mhz,
  power_mw,
  power_limit_mw,
  energy_mj,
  temperature_c,
  event_reasons,
  power_cap_ns,
  thermal_ns,
  persistence,
  link_generation,
  link_width,
  ecc_change_pending,  ///< 1: the mode after the next reset is another one
  mps_clients,
};

/// NVML's numbers of the compute modes.
enum class NvmlComputeMode : int { shared = 0, prohibited = 2, exclusive_process = 3 };

enum class NvmlClock { core, memory };

/// Lanes of the link to the host, of every model.
inline constexpr int nvml_link_lanes = 16;

struct NvmlClockRange {
  unsigned lowest_mhz = 0;
  unsigned highest_mhz = 0;
};

struct NvmlProcess {
  unsigned pid = 0;
  std::optional<std::uint64_t> used_bytes;  ///< absent where this process cannot know
};

struct NvmlMemory {
  std::uint64_t total_bytes = 0;
  std::uint64_t used_bytes = 0;
};

/// What the process knows of the machine besides script and model. Each may be empty.
struct NvmlSources {
  std::function<std::int64_t()> milliseconds = {};         ///< since the library was loaded
  std::function<std::int64_t(int place)> operations = {};  ///< of the device, by this process
  std::function<bool(int place)> is_lost = {};
  std::function<std::vector<NvmlProcess>(int place)> processes = {};  ///< real ones that use the device
};

/// Why the times of a script suit no machine with this clock; "" where they do. NVML counts them in real time, and work
/// heeds a fault (Xid) at the time of its machine. In virtual time a fault that waits for milliseconds would come at
/// two moments, so it has to wait for operations or readings there.
std::string time_problem(const MachineOptions& options, const DeviceScript& script);

/// All functions may be called from any thread. Each reading of a device counts, for `after N readings` of a script,
/// and ends with the script's lost_answers, or with gpu_is_lost after Xid 79. Identity (UUID, name, bus) stays
/// readable.
class NvmlDevices {
 public:
  NvmlDevices(MachineOptions options, DeviceScript script, NvmlSources sources);

  /// Counted: as many stops as starts end the use.
  void start();
  NvmlOutcome stop();
  bool is_started() const;

  int count() const { return options_.devices; }
  const DeviceModel& model() const { return *options_.model; }
  std::string driver_version() const;

  // ---- identity
  NvmlAnswer<std::uintptr_t> handle_at(unsigned index) const;
  /// Of a device or an instance. The whole UUID.
  NvmlAnswer<std::uintptr_t> handle_of_uuid(std::string_view uuid) const;
  /// "00000000:1B:00.0" or "0000:1b:00.0", in any case of the letters.
  NvmlAnswer<std::uintptr_t> handle_of_bus(std::string_view bus_id) const;
  /// Of a device or an instance.
  NvmlAnswer<NvmlDevice> device_of(std::uintptr_t handle) const;
  /// The device; invalid_argument for an instance, of which NVML reads little.
  NvmlAnswer<int> place_of(std::uintptr_t handle) const;
  std::string uuid(const NvmlDevice& device) const;

  // ---- readings
  NvmlOutcome begin_reading(int place);
  NvmlAnswer<std::int64_t> read(int place, NvmlReading what);
  NvmlAnswer<NvmlComputeMode> compute_mode(int place);
  NvmlAnswer<NvmlMemory> memory(int place);
  NvmlAnswer<std::vector<NvmlProcess>> processes(int place);
  /// The fault that the script has let happen; 0: none.
  std::int64_t xid(int place) const;

  // ---- MIG
  NvmlAnswer<bool> is_split(int place);
  /// Places for instances: 0 where MIG is off or not possible.
  unsigned most_instances(int place) const;
  NvmlAnswer<std::uintptr_t> instance_at(int place, unsigned index) const;

  // ---- settings
  NvmlOutcome set_persistence(int place, bool on);
  NvmlOutcome lock(int place, NvmlClock clock, NvmlClockRange range);
  NvmlOutcome unlock(int place, NvmlClock clock);

 private:
  struct Settings {
    std::optional<bool> persistence;
    std::optional<NvmlClockRange> core, memory;
  };

  ScriptProgress progress_of(int place) const;
  std::optional<std::int64_t> scripted(int place, std::string_view key) const;
  std::int64_t unscripted(int place, NvmlReading what) const;
  std::int64_t core_clock(int place) const;
  std::int64_t memory_clock(int place) const;
  std::int64_t usual_power_mw() const;
  std::int64_t usual_energy_mj(int place) const;
  std::int64_t xid_of(int place) const;
  NvmlOutcome standing(int place) const;
  unsigned instances_of(int place) const;
  NvmlOutcome may_change(int place, int least_major) const;
  std::vector<NvmlProcess> users_of(int place) const;
  Settings settings_of(int place) const;

  MachineOptions options_;
  DeviceScript script_;
  NvmlSources sources_;
  mutable std::mutex mutex_;
  int starts_ = 0;
  std::map<int, std::int64_t> readings_;
  std::map<int, Settings> settings_;
};

}  // namespace stepgate::emulator
