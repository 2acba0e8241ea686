// The machine as one experiment needs it: nobody else measuring, and as quiet as the guard mode says.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/stored/manifest.h"
#include "environment/gpu/nvml_library.h"
#include "environment/guard/host_guard.h"
#include "environment/guard/run_lock.h"
#include "environment/process/cpu_choice.h"
#include "experiment/plan/caller.h"
#include "experiment/plan/measured_host.h"
#include "launch/emulated_device.h"

namespace stepgate {

struct HostOptions {
  GuardMode mode = GuardMode::process;
  std::vector<std::string> knobs = {};             ///< the only ones to set, by name; empty: all of the mode
  std::filesystem::path state_folder = {};         ///< where the guard keeps its journal; absolute
  std::optional<std::int64_t> gpu_clock_mhz = {};  ///< consent to lock it
  std::optional<std::int64_t> gpu_memory_clock_mhz = {};
  double wait_lock_s = 600;
  std::filesystem::path run_lock = default_run_lock_path();  ///< one experiment at a time holds it
};

/// Who asks for the machine, and for what.
struct HostUse {
  std::string command;  ///< "gate": recorded in the lock and in the journal
  std::vector<ManifestCase> cases;
  std::int64_t threads = 1;
  std::optional<EmulatedGpu> emulated = {};  ///< in place of the GPUs of this machine, which are not even looked at
};

struct WishedGpu {
  std::optional<Gpu> gpu;       ///< absent: none is used, or which one is not known
  GpuDriver* driver = nullptr;  ///< asked about it
};

/// Holds the run lock and, in mode host, the guard, from construction to destruction. The observer is told about
/// settings that could not be made: a lower mode still measures.
class QuietHost {
 public:
  /// Borrows the caller. Throws Error(measure) where another run holds the lock, Error(usage) for a knob that does not
  /// exist, and where a case needs a GPU and the environment names one that is not there; Interruption where a signal
  /// came while another run held the lock.
  QuietHost(const HostOptions& options, HostUse use, const Caller& caller);
  ~QuietHost();
  QuietHost(const QuietHost&) = delete;
  QuietHost& operator=(const QuietHost&) = delete;

  /// For the requests to come, as long as this object lives and its mode stays.
  const MeasuredHost& measured() const { return measured_; }

  /// Engages mode host with these knobs only (none named: all); a guard that was engaged before is released first.
  void engage(const std::vector<std::string>& only);
  /// Back to mode process.
  void release();

  /// The knobs of mode host that could be set on this machine now.
  std::vector<KnobReport> host_knobs() const;

  /// The CPUs that the most demanding case is measured on.
  CpuChoice cpus() const;

 private:
  /// `interrupted` as in LockWait: nullptr where results of this run exist, which a signal must not take.
  void engage(const std::vector<std::string>& only, const std::atomic<int>* interrupted);
  KnobPlan plan() const;
  void choose_gpus();
  /// What the knobs of a GPU may touch: nothing of an emulated one.
  WishedGpu wished_gpu() const;
  void put_back() noexcept;
  void tell(const std::vector<Notice>& notices) const;

  HostOptions options_;
  HostUse use_;
  const Observer& observer_;
  RunLock lock_;
  SystemFiles files_{"/"};
  NvmlLibrary nvml_;
  MeasuredHost measured_;
  std::unique_ptr<HostGuard> guard_;
};

/// Tells the caller at once who measures on this machine. Borrows both.
LockWait wait_for_machine(const HostOptions& options, const Caller& caller);

/// The CPUs that the most demanding case of `use` is measured on.
CpuChoice cpus_for(const MeasuredHost& host, const HostUse& use);

/// The GPUs that measured processes may use, by the environment of this process (environment/gpu/choice/gpu_choice.h).
GpuOffer offered_here(const NvmlLibrary& nvml);

/// All devices of an emulated machine. No variable restricts them: those of this environment name real GPUs. Throws
/// Error(measure) where its driver does not list them.
GpuOffer offered_by(const NvmlLibrary& nvml, const EmulatedDevice& device);

/// The first of the offer; absent where it is not known or empty.
std::optional<Gpu> first_of(const GpuOffer& offer);

/// GPUs that one process of these cases needs at most.
std::int64_t most_gpus(const std::vector<ManifestCase>& cases);

/// What the host's knobs need to know of processes on `cpus`.
HostWishes wishes_for(const HostOptions& options, const CpuChoice& cpus, const WishedGpu& gpu);

/// The reports that `doctor` gives of a plan: what would be changed is `available`.
std::vector<KnobReport> knobs_of(const KnobPlan& plan);

}  // namespace stepgate
