// A scripted training step over the fake backend: how long each boundary takes on host and device, what it allocates
// and what it counts.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/boundary.h"
#include "measure/device/fake/fake_backend.h"
#include "measure/device/work/work_counter.h"
#include "measure/step/step_actions.h"

namespace stepgate {

struct ScriptedBoundary {
  std::int64_t host_ns = 0;
  std::int64_t device_ns = 0;        ///< queued after host_ns: h2d on the copy stream, all others on compute
  bool hidden_sync = false;          ///< waits for the device at its end, as .item() does
  std::int64_t kept_bytes = 0;       ///< one allocation, freed by release()
  std::int64_t temporary_bytes = 0;  ///< one allocation on top of it, freed inside the boundary
  std::int64_t gradient_bytes = 0;   ///< one allocation that is marked a gradient, freed when optimizer ends
  std::int64_t lasting_bytes = 0;    ///< one allocation, made when this boundary first runs and never freed
  std::map<std::string, std::int64_t> operators = {};
  std::int64_t host_syncs = 0;
  std::int64_t kernels = 0;
  std::int64_t d2h_copies = 0;
  std::int64_t memcpys = 0;
  std::int64_t memsets = 0;
  std::int64_t device_allocations = 0;
  std::int64_t device_syncs = 0;
};

struct ScriptedStepPlan {
  std::array<ScriptedBoundary, boundary_slots> boundaries = {};
  BatchInfo batch = {};
  bool copy_waits_for_compute = false;  ///< one input buffer only: from release() on the copy stream waits
  std::int64_t release_ns = 0;          ///< host time of release()
  std::int64_t leaked_bytes = 0;        ///< one allocation that nothing frees
  std::int64_t wasted_bytes = 0;        ///< taken from the device at the step's end and never of use
  std::int64_t page_faults = 0;
  std::int64_t allocator_retries = 0;  ///< times that the allocator runs out in this step
  std::int64_t pinned_bytes = 0;       ///< host memory that the driver pins in this step, and keeps
  std::int64_t pinned_ns = 0;          ///< host time of that
  std::int64_t heap_bytes = 0;         ///< really taken from malloc at each step's end, and kept
  std::int64_t skipped_updates = 0;    ///< in this step, by a loss scaler
  std::string input_sizes = "";        ///< sizes of its batch, as StepWatch::input_sizes()
  std::string graph_holder = "";       ///< boundary that keeps this step's graph alive for good; "" if none does

  ScriptedBoundary& at(Boundary boundary) { return boundaries[static_cast<std::size_t>(boundary)]; }
  const ScriptedBoundary& at(Boundary boundary) const { return boundaries[static_cast<std::size_t>(boundary)]; }
};

struct ScriptedSave {
  std::int64_t host_ns = 0;
  std::int64_t bytes = 0;  ///< size of a file that is really written; 0: no file
};

/// Counts what the scripted step says it does, while switched on.
class ScriptedCounter : public WorkCounter {
 public:
  /// Without a GPU kernels are absent.
  explicit ScriptedCounter(bool counts_kernels) : counts_kernels_(counts_kernels) {}
  void start() override;
  void stop() override { counting_ = false; }
  WorkTotals totals() override { return totals_; }
  void add(const ScriptedBoundary& work);
  bool counting() const { return counting_; }

 private:
  void add_calls(const std::string& metric, const std::string& call, std::int64_t number);

  bool counts_kernels_;
  bool counting_ = false;
  WorkTotals totals_;
};

inline constexpr std::int64_t scaler_read_ns = 1000;

/// Steps beyond the script's end repeat its last one. `counter` may be null.
class ScriptedStep : public StepActions, public StepSwitches, public StepWatch, public StepSaves, public StepScaling {
 public:
  /// Throws Error(usage) where `script` is empty.
  ScriptedStep(FakeBackend& backend, std::vector<ScriptedStepPlan> script, ScriptedCounter* counter = nullptr);

  void run(Boundary boundary, std::int64_t step) override;
  const StepBoundaries& boundaries() const override { return boundaries_; }
  BatchInfo batch_info() const override;
  std::string input_sizes() const override { return plan().input_sizes; }
  void release() override;
  StepAbilities abilities() override { return {.switches = this, .watch = this, .saves = this, .scaling = this}; }
  void keep_batch(bool resident) override;
  void set_logging(bool on) override;
  std::map<std::string, std::int64_t> held_graphs() const override { return held_graphs_; }
  /// Takes scaler_read_ns of the host, as the read of a number from a device does.
  std::optional<std::int64_t> skipped_updates() const override;
  void mark_memory(MemoryTrace& trace) const override;
  /// Without script_saves() it saves none. Saves beyond that script's end repeat its last one.
  bool save_checkpoint(const std::filesystem::path& path) override;
  void script_saves(std::vector<ScriptedSave> saves) { saves_ = std::move(saves); }
  /// One allocation that is marked a parameter.
  void add_parameter(std::int64_t bytes);

  /// Names a boundary of its own, which runs before `next` on the compute stream: own_boundary(0), then 1. As in a
  /// user's loop it is known once it has run.
  void name_boundary(const std::string& name, Boundary next) { to_name_.push_back({name, next}); }

  std::int64_t logged_step() const { return logged_step_; }  ///< the number that logging got last

 private:
  const ScriptedStepPlan& plan() const;
  void load();
  void copy_to_device();
  void log(std::int64_t step);
  void work(Boundary boundary, Stream stream);
  Boundary named_instead(Boundary boundary);
  void allocate(Boundary boundary, const ScriptedBoundary& work);

  FakeBackend* backend_;
  std::vector<ScriptedStepPlan> script_;
  ScriptedCounter* counter_;
  std::size_t step_ = 0;
  struct OwnName {
    std::string name;
    Boundary next;
  };
  std::list<OwnName> to_name_;
  StepBoundaries boundaries_;
  std::vector<MemoryTrace::Address> parameters_;
  std::vector<MemoryTrace::Address> gradients_;
  std::vector<MemoryTrace::Address> kept_;
  std::set<Boundary> lasting_;                   ///< boundaries that made their lasting block
  std::optional<std::int64_t> skipped_updates_;  ///< absent where no step of the script skips one
  std::int64_t logged_step_ = -1;
  bool resident_ = false;
  bool logging_ = true;
  std::map<std::string, std::int64_t> held_graphs_;
  std::list<std::vector<char>> heap_;
  std::vector<ScriptedSave> saves_;
  std::size_t next_save_ = 0;
};

}  // namespace stepgate
