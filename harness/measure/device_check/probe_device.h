// What the checks of stepgate_device_check ask of a GPU. Two implementations: cuda/cuda_probe_device (LibTorch and
// CUDA), and a scripted device of the tests in which each law can be broken by name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace stepgate {

enum class ProbeStream { compute, copy };

/// Host memory that a copy reads. All of its bytes are 1.
enum class ProbeSource { pinned, pageable };

/// What makes the host wait for the device, and one thing that does not.
enum class ProbeAction {
  kernel,  ///< starts a kernel and returns: no sync
  item,
  nonzero,
  pageable_copy,
  device_sync,
  event_sync,
  device_malloc,  ///< by the runtime, beneath the caching allocator
  device_free
};

struct ProbeActionRow {
  ProbeAction action;
  const char* name;
};
inline constexpr ProbeActionRow probe_action_rows[] = {{ProbeAction::kernel, "kernel"},
                                                       {ProbeAction::item, "item"},
                                                       {ProbeAction::nonzero, "nonzero"},
                                                       {ProbeAction::pageable_copy, "pageable_copy"},
                                                       {ProbeAction::device_sync, "device_sync"},
                                                       {ProbeAction::event_sync, "event_sync"},
                                                       {ProbeAction::device_malloc, "device_malloc"},
                                                       {ProbeAction::device_free, "device_free"}};

/// Device work of one training step.
struct ProbeWork {
  std::int64_t kernels = 0;
  std::int64_t memcpys = 0;
  std::int64_t memsets = 0;
  std::optional<std::int64_t> driver_kernels = std::nullopt;  ///< of the kernels, by calls of the driver
};

/// Peaks of requested bytes over one training step.
struct ProbePeaks {
  std::int64_t by_trace_bytes = 0;
  std::int64_t by_statistics_bytes = 0;
};

struct ProbeTraining {
  double last_loss = 0;
  std::string digest;  ///< digest over the bits of all losses and of the final weights
  /// Operators that LibTorch cannot run deterministically; empty: it ran all of them so.
  std::vector<std::string> nondeterministic_operators = {};
};

/// A block of device memory; 0 is none.
using ProbeBlock = std::uintptr_t;

/// A question that cannot be answered here, e.g. because CUPTI refuses: the figure is absent for this reason.
struct ProbeRefusal : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// There is no GPU, or no driver.
struct ProbeMissing : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Work is queued in order on two streams and the host runs ahead, unless a comment says that it waits. Every function
/// may throw: a std::exception with the error text of the device, or ProbeRefusal.
class ProbeDevice {
 public:
  virtual ~ProbeDevice() = default;

  /// gpu, gpu_pci_bus_id, gpu_compute_capability, gpu_memory_bytes, cuda_runtime, cudnn, torch.
  virtual std::map<std::string, std::string> facts() = 0;
  /// Bytes per second of the link between host and device. Throws ProbeRefusal where nobody says.
  virtual double link_bytes_per_s() = 0;

  virtual std::int64_t now_ns() = 0;  ///< the host's monotonic clock
  virtual void synchronize() = 0;     ///< waits for both streams
  /// Occupies a stream for so many cycles of the device's clock.
  virtual void spin(ProbeStream stream, std::int64_t cycles) = 0;
  virtual void record(std::size_t event, ProbeStream stream) = 0;
  /// The stream waits for the event, the host does not.
  virtual void wait(ProbeStream stream, std::size_t event) = 0;
  /// After synchronize(). Negative where `to` happened before `from`.
  virtual std::int64_t elapsed_ns(std::size_t from, std::size_t to) = 0;

  /// Allocates from the caching allocator, on the compute stream. A block that is released on the host is given to the
  /// next allocation of its size at once, since that comes later in the same stream.
  virtual ProbeBlock allocate(std::int64_t bytes) = 0;
  virtual void release(ProbeBlock block) = 0;
  virtual void fill(ProbeBlock block, int value) = 0;   ///< on the compute stream
  virtual void prepare_source(std::int64_t bytes) = 0;  ///< a source of each kind; waits
  virtual void copy_to_device(ProbeBlock block, ProbeSource source, ProbeStream stream) = 0;
  virtual std::int64_t bytes_other_than(ProbeBlock block, int value) = 0;  ///< waits

  /// Pins so many bytes of new host memory, past the caching host allocator. They are kept, since freeing may wait.
  virtual void pin(std::int64_t bytes) = 0;

  virtual void act(ProbeAction action) = 0;
  /// Calls of `body` that LibTorch reports as host syncs.
  virtual std::int64_t warnings_during(const std::function<void()>& body) = 0;
  /// Syncs, allocations and releases of `body` that CUPTI's callbacks report.
  virtual std::int64_t callbacks_during(const std::function<void()>& body) = 0;

  virtual ProbePeaks traced_step() = 0;
  virtual ProbeWork step_counted_by_cupti() = 0;
  virtual ProbeWork step_counted_by_kineto() = 0;
  /// Trains from a fixed seed, deterministically as the numerics pass does: strict, and where LibTorch refuses that as
  /// far as it can.
  virtual ProbeTraining train(int steps) = 0;

 protected:
  ProbeDevice() = default;
  ProbeDevice(const ProbeDevice&) = default;
  ProbeDevice& operator=(const ProbeDevice&) = default;
};

}  // namespace stepgate
