// The machine as one command needs it: nobody else measuring, and as quiet as --guard says.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/stored/manifest.h"
#include "environment/gpu/nvml_library.h"
#include "environment/guard/host_guard.h"
#include "environment/guard/run_lock.h"
#include "environment/process/cpu_choice.h"
#include "experiment/context.h"

namespace stepgate {

/// Holds the run lock and, in mode host, the guard, from construction to destruction. Tells on stderr what could not be
/// had: a lower mode is no failure to measure.
class QuietHost {
 public:
  /// Fills `context.guard` for the requests to come; `context` must not outlive this. Throws Error(measure) where
  /// another run holds the lock, Error(usage) for a knob that does not exist.
  QuietHost(Context& context, const std::vector<ManifestCase>& cases);
  ~QuietHost();
  QuietHost(const QuietHost&) = delete;
  QuietHost& operator=(const QuietHost&) = delete;

  /// Engages mode host with these knobs only (none named: all) and fills `context.guard`; a guard that was engaged
  /// before is released first.
  void engage(Context& context, const std::vector<ManifestCase>& cases, const std::vector<std::string>& only);
  /// Back to mode process.
  void release(Context& context);

  /// The knobs of mode host that could be set on this machine now.
  std::vector<KnobReport> host_knobs(const Context& context, const std::vector<ManifestCase>& cases) const;

 private:
  KnobPlan plan(const Context& context, const std::vector<ManifestCase>& cases) const;
  void put_back() noexcept;

  RunLock lock_;
  SystemFiles files_{"/"};
  NvmlLibrary nvml_;
  std::unique_ptr<HostGuard> guard_;
};

/// The CPUs that the most demanding of `cases` is measured on.
CpuChoice cpus_for(const Context& context, const std::vector<ManifestCase>& cases);

/// Where the guard keeps its journal.
std::filesystem::path state_folder(const Options& options);

/// The GPU that measured processes use: the one whose UUID is in CUDA_VISIBLE_DEVICES, else the only one there is;
/// absent otherwise, since indices mean what CUDA makes of them.
std::optional<Gpu> used_gpu(GpuDriver* driver);

/// Fills `context.gpu` where one of `cases` needs a GPU. Before cpus_for(), which chooses CPUs near it.
void choose_gpu(Context& context, const std::vector<ManifestCase>& cases, GpuDriver* driver);

/// What the host's knobs need to know of a run on `cpus`; `driver` is asked about the GPU of the context, if any.
HostWishes wishes_for(const Context& context, const CpuChoice& cpus, GpuDriver* driver);

/// The reports that `doctor` gives of a plan: what would be changed is `available`.
std::vector<KnobReport> knobs_of(const KnobPlan& plan);

/// "governor, turbo": words separated by commas.
std::vector<std::string> listed(const std::string& text);

}  // namespace stepgate
