// Training runs drawn at random on the scripted device: the copier, the copies of the h2d pass and the windows are
// stepgate's own, only the workload is scripted. Whatever they leave unordered ends in Hazard.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "measure/device/fake/scripted_queue.h"
#include "measure/device/queue_backend.h"
#include "measure/device/slot_copier.h"
#include "measure/passes/copy_trials.h"
#include "measure/step/step_actions.h"

namespace stepgate::test {

/// What one run is like. Every field is drawn.
struct DrawnRun {
  std::size_t slots = 2;
  std::int64_t prefetched_batches = 0;  ///< that the loader has ready
  std::int64_t most_tensors = 1;
  std::int64_t steps_per_window = 5;
  std::int64_t windows = 2;
  std::int64_t growth_percent = 0;  ///< chance that a tensor is larger than the one before; likewise the next two
  std::int64_t shrink_percent = 0;
  std::int64_t pageable_percent = 0;
  std::int64_t foreign_percent = 0;  ///< pinned memory that no pool follows
  bool reads_loss = false;           ///< the workload reads its loss in each step
  bool keeps_batch = false;          ///< the last window runs over a resident batch
};
DrawnRun draw_run(std::mt19937_64& random);

class LawBackend final : public QueueBackend {
 public:
  explicit LawBackend(ScriptedQueue& queue) : QueueBackend(queue), queue_(queue) {}
  std::string_view clock_name() const override { return "virtual"; }
  MemoryStats memory() override;
  void reset_peak() override {}
  std::optional<std::int64_t> minor_faults() override { return std::nullopt; }

 private:
  ScriptedQueue& queue_;
};

/// A workload whose loader draws batches, and whose kernels read them and use temporary memory of the same sizes.
class DrawnStep final : public StepActions {
 public:
  DrawnStep(ScriptedQueue& queue, const DrawnRun& run, std::mt19937_64& random);

  void run(Boundary boundary, std::int64_t step) override;
  BatchInfo batch_info() const override { return {.samples = 1, .shape = 1}; }
  void release() override;
  void keep_batch(bool resident) { resident_ = resident; }

 private:
  void load();
  void copy_to_device();
  void log();
  using HostBatch = std::vector<HostBuffer>;
  HostBatch next_batch();
  std::int64_t next_bytes(std::int64_t& bytes);
  void launch(const char* what, std::int64_t ns);
  bool chance(std::int64_t percent) { return static_cast<std::int64_t>(random_() % 100) < percent; }

  ScriptedQueue& queue_;
  const DrawnRun& run_;
  std::mt19937_64& random_;
  SlotCopier copier_;
  std::vector<std::int64_t> sizes_;
  std::vector<HostBatch> ready_;
  HostBatch host_;
  std::vector<DeviceMemory> inputs_;
  DeviceMemory loss_;
  EventId loss_copied_;
  bool resident_ = false;
  bool on_device_ = false;
};

/// The h2d pass over host memory of all kinds.
class DrawnCopies final : public CopyActions {
 public:
  DrawnCopies(ScriptedQueue& queue, std::mt19937_64& random);
  const std::vector<CopySeries>& kinds() const override { return kinds_; }
  void copy(std::size_t kind) override;

 private:
  ScriptedQueue& queue_;
  std::vector<CopySeries> kinds_;
  std::vector<std::vector<HostBuffer>> sources_;
  std::vector<std::vector<DeviceMemory>> targets_;
};

/// One run from `seed`. Throws Hazard.
void run_drawn(std::uint64_t seed);

}  // namespace stepgate::test
