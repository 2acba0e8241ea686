// What the guard asks of a GPU's driver, in plain values. Tests use a model instead.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "environment/cpus/cpu_list.h"

namespace stepgate {

/// The outcome of a call. `code` is 0 if it worked, else an errno: EPERM the user may not, ENOTSUP this GPU, driver
/// or library cannot, ENODEV no such GPU or it is lost, EINVAL the driver knows no such value, EIO everything else.
struct GpuOutcome {
  int code = 0;
  std::string reason;  ///< names the driver's function and its error, "" where it worked
};

/// A value or why there is none, coded as in GpuOutcome.
template <typename T>
struct GpuAnswer {
  std::optional<T> value;
  int code = 0;
  std::string reason;
};

enum class Mig {
  off,     ///< also where the GPU cannot be split at all
  on,      ///< split into instances: readings cover more than our part
  unknown  ///< the driver did not say
};

/// One part of a GPU that MIG splits, as a process may be given it.
struct MigInstance {
  std::string uuid;  ///< "MIG-..."
  std::int64_t gpu_instance = 0;
  std::int64_t compute_instance = 0;
};

struct Gpu {
  std::string uuid = "";        ///< "GPU-..."; never an index, which CUDA_VISIBLE_DEVICES reorders
  std::string name = "";        ///< "" where the driver does not say
  std::string pci_bus_id = "";  ///< as the driver writes it, "00000000:3B:00.0"; see kernel_pci_bus_id()
  Mig mig = Mig::unknown;
  bool is_virtual = false;                  ///< a vGPU: a share of a GPU whose other users are hidden
  std::vector<MigInstance> instances = {};  ///< where MIG is on and the driver says them
};

enum class GpuClock {
  core,   ///< the graphics clock, which the streaming multiprocessors run at
  memory  ///< the clock of the GPU's memory
};

struct ClockRange {
  std::int64_t lowest_mhz = 0;
  std::int64_t highest_mhz = 0;
};

/// What reduced the clocks, in nanoseconds since the driver was loaded.
struct GpuCounters {
  GpuAnswer<std::int64_t> power_cap_ns;         ///< by software, to stay below the power limit
  GpuAnswer<std::int64_t> sync_boost_ns;        ///< to match the slowest GPU of a sync boost group
  GpuAnswer<std::int64_t> software_thermal_ns;  ///< by software, to stay below the highest operating temperature
  GpuAnswer<std::int64_t> hardware_thermal_ns;  ///< by hardware, to a half or less: too hot
  GpuAnswer<std::int64_t> power_brake_ns;       ///< by hardware, to a half or less: the host asked for it
};

struct PcieLink {
  std::int64_t generation = 0;
  std::int64_t width = 0;  ///< lanes
};

/// Who has a context on a GPU. Processes are counted, never named: inside a container their numbers may be the host's,
/// and matching them with ours would be wrong.
struct GpuUsers {
  /// All, ours included, each once: the driver lists a client of the Multi-Process Service in both of its lists. The
  /// service's server is one of them.
  std::int64_t processes = 0;
  std::optional<std::int64_t> mps_clients = {};  ///< clients among them; absent if this GPU or driver has no such list
};

/// GPUs are named by UUID. Nothing here throws. Only the functions that set and reset change anything.
class GpuDriver {
 public:
  virtual ~GpuDriver() = default;

  /// All GPUs that this process may talk to.
  virtual GpuAnswer<std::vector<Gpu>> gpus() = 0;
  virtual GpuAnswer<std::string> version() = 0;

  /// Whether the GPU stays initialised while no process has it open. Without that, clocks locked by a process that has
  /// ended are lost, and every first CUDA call pays seconds.
  virtual GpuAnswer<bool> persistence(const std::string& uuid) = 0;
  virtual GpuOutcome set_persistence(const std::string& uuid, bool on) = 0;

  /// There is no way to ask what a clock is locked to, by whom, or whether it is at all.
  virtual GpuOutcome lock_clock(const std::string& uuid, GpuClock clock, ClockRange range) = 0;
  virtual GpuOutcome reset_clock(const std::string& uuid, GpuClock clock) = 0;

  virtual GpuAnswer<std::int64_t> clock_mhz(const std::string& uuid, GpuClock clock) = 0;
  virtual GpuAnswer<std::int64_t> highest_clock_mhz(const std::string& uuid, GpuClock clock) = 0;
  /// True if the driver says that nothing runs and the clocks fall.
  virtual GpuAnswer<bool> idle(const std::string& uuid) = 0;
  virtual GpuAnswer<double> temperature_c(const std::string& uuid) = 0;
  virtual GpuAnswer<double> power_w(const std::string& uuid) = 0;         ///< mean over a second on recent GPUs
  virtual GpuAnswer<double> total_energy_j(const std::string& uuid) = 0;  ///< since the driver was loaded
  virtual GpuAnswer<double> power_limit_w(const std::string& uuid) = 0;   ///< the one in force, whoever set it
  virtual GpuCounters counters(const std::string& uuid) = 0;

  virtual GpuAnswer<PcieLink> pcie_link(const std::string& uuid) = 0;  ///< now: an idle link slows down
  /// The best link of this GPU in this slot.
  virtual GpuAnswer<PcieLink> highest_pcie_link(const std::string& uuid) = 0;
  virtual GpuAnswer<bool> ecc(const std::string& uuid) = 0;
  /// "default", "exclusive process", "prohibited".
  virtual GpuAnswer<std::string> compute_mode(const std::string& uuid) = 0;

  virtual GpuAnswer<GpuUsers> users(const std::string& uuid) = 0;
  /// Memory that all processes use. It may include what the driver keeps for itself: compare it with an earlier
  /// reading, not with 0.
  virtual GpuAnswer<std::int64_t> memory_used_bytes(const std::string& uuid) = 0;

  /// Faults (Xid) that the driver has reported of this GPU, in their order, without the first `known` of them. The
  /// first call begins to listen, and tells of none. Who asks counts what it knows, so nobody takes a fault from
  /// another.
  virtual GpuAnswer<std::vector<std::int64_t>> xids_after(const std::string& uuid, std::size_t known) = 0;

  /// The CPUs of the NUMA node near it, as the driver says.
  virtual GpuAnswer<CpuList> near_cpus(const std::string& uuid) = 0;
};

}  // namespace stepgate
