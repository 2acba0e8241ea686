// Watches the GPUs of one process while its timed passes run, from the thread that waits for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/process_place.h"
#include "core/record/evidence.h"
#include "environment/gpu/gpu_evidence.h"
#include "environment/gpu/window_clocks.h"
#include "environment/gpu/xid_errors.h"

namespace stepgate {

/// How far a process has come, as far as the evidence of a GPU is concerned.
enum class MeasuredStage {
  unknown,    ///< the program does not say: it is from an older stepgate, or it is not a perftest program
  before,     ///< it starts, builds or warms up
  measuring,  ///< every rank that says something is in a pass
  after,      ///< a rank has ended its passes
};

/// The stage of a process, from the places that all its ranks have written.
MeasuredStage measured_stage(const std::vector<ProcessPlace>& places);

struct GpuWatchRequest {
  std::vector<std::string> uuids = {};  ///< GPUs that the process uses; empty: nothing is watched
  bool is_told_of_mps = false;          ///< GpuWindow::is_told_of_mps
  std::optional<std::int64_t> locked_clock_mhz = {};
};

/// Reads each GPU once before the process starts, and then a few times a second while its timed passes run. It never
/// reads in the measured process. If a program does not say where it is, samples of the whole process count.
class GpuWatch {
 public:
  using StageReader = std::function<MeasuredStage()>;

  /// nullptr: nothing is watched. The driver must outlive this.
  GpuWatch(GpuDriver* driver, GpuWatchRequest request);

  /// Takes a sample if the timed passes run and the last sample is 0.2 s old or was taken outside of them. The stage is
  /// read again after the sample, which counts only if the passes still run. `now_ns` is on the steady clock.
  void look(const StageReader& stage, std::int64_t now_ns);
  /// look() at the present time.
  void look(const StageReader& stage);

  /// Adds the worst value of all GPUs: the lowest mean clock, else the highest value. If one GPU shows no value, none
  /// is added, unless another GPU is above the key's default limit.
  void add_to(Evidence& evidence) const;

  /// What was read of each GPU's clock while the timed passes ran.
  std::vector<ClockReadings> clocks() const;

  /// The faults that the driver reported since this was made, each once, whoever else watches the GPU. No answer where
  /// no GPU is watched; no value, with the reason, where a driver reports none or a GPU was lost.
  std::optional<GpuAnswer<std::vector<GpuFault>>> faults();

  /// Asks each GPU once more. One sentence if a GPU that was there before the process is gone, else "".
  std::string lost();

 private:
  /// What the driver has told of one GPU's faults.
  struct Listening {
    GpuOutcome began;
    std::size_t known = 0;
  };
  bool is_on() const { return driver_ != nullptr && !windows_.empty(); }
  bool is_due(std::int64_t now_ns) const;
  void forget_samples();
  void sample(const StageReader& stage, MeasuredStage expected);

  GpuDriver* driver_;
  std::vector<std::string> uuids_;
  std::vector<GpuWindow> windows_;    ///< one for each GPU
  std::vector<Listening> listening_;  ///< the same
  std::optional<std::int64_t> last_ns_;
  bool knows_stages_ = false;
  std::string lost_;
};

}  // namespace stepgate
