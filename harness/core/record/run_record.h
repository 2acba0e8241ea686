// The run record: everything that one fresh process measured of one case, without any judgement. A perftest program
// passes nothing else to the launcher. All times are integer nanoseconds, all memory integer bytes.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/boundary.h"
#include "core/plan.h"
#include "core/record/fingerprint.h"
#include "core/record/inference/inference_facts.h"
#include "core/record/inference/request_times.h"
#include "core/record/observed_work.h"
#include "core/record/pass_losses.h"
#include "core/record/profile_run.h"
#include "core/step_boundaries.h"
#include "stepgate/step_counts.h"

namespace stepgate {

/// Nanoseconds per boundary, indexed by Boundary.
using BoundaryTimes = std::array<std::int64_t, boundary_slots>;

/// One step of a timed pass.
struct StepSample {
  std::int64_t wall_ns = 0;  ///< step begin to step end on the host clock
  BoundaryTimes host_ns{};   ///< host time per boundary; on an asynchronous device this is enqueue time
  std::optional<BoundaryTimes> device_ns =
      std::nullopt;  ///< device events per boundary; absent where the device has none
  std::optional<std::int64_t> overlap_ns = std::nullopt;  ///< part of this step's copy that ran beside compute
  std::optional<std::int64_t> gap_ns = std::nullopt;      ///< from the previous step's last event to this step's first
  std::int64_t samples = 0;
  std::int64_t padded_tokens = 0;
  std::int64_t effective_tokens = 0;
  std::optional<std::int64_t> flops = std::nullopt;  ///< as Batch::flops; absent where the workload declares none
  std::uint64_t shape = 0;                           ///< hash of input shapes and dtypes
  std::optional<std::int64_t> allreduce_ns = std::nullopt;       ///< gradient exchange, first begun to last complete
  std::optional<std::int64_t> allreduce_wait_ns = std::nullopt;  ///< the part of it in which the host waited
  bool cold_shape = false;  ///< the first step with this shape: excluded from timing, but counted
  /// The loss scaler skipped an update in the window of this step, which makes it shorter: excluded in the same way.
  bool skipped_update = false;

  bool left_out() const { return cold_shape || skipped_update; }
};

/// Steps between two synchronisations; the step time of a window is wall_ns / steps.
struct Window {
  std::int64_t wall_ns = 0;
  std::int64_t first_step = 0;
  std::int64_t steps = 0;
  bool cold_shape = false;
  std::optional<std::int64_t> samples = std::nullopt;  ///< present if there are too many steps to list them one by one
  std::optional<std::int64_t> queued_ns =
      std::nullopt;  ///< host time until the last step was queued; absent where the host computes while it is called
  bool skipped_update = false;  ///< as StepSample
  /// On the steady clock; absent where the host computes. In nanoseconds a machine that runs for 104 days would leave
  /// what readers of JSON keep.
  std::optional<std::int64_t> begin_us = std::nullopt;
  /// The GPU's core clock, mean of what the launcher read in this window; absent where it read none.
  std::optional<std::int64_t> gpu_clock_khz = std::nullopt;

  bool left_out() const { return cold_shape || skipped_update; }
};

struct TimedPass {
  std::string clock;            ///< "steady_clock", "cuda_events+steady_clock", "google_benchmark" or "virtual"
  std::vector<Window> windows;  ///< e2e, synthetic and loader; empty for phase
  std::vector<StepSample> steps;
};

enum class CopyLayout {
  batch,   ///< the workload's own tensors
  single,  ///< one tensor
  split,   ///< many small ones
};
inline constexpr std::array<CopyLayout, 3> all_copy_layouts = {CopyLayout::batch, CopyLayout::single,
                                                               CopyLayout::split};

constexpr std::string_view name_of(CopyLayout layout) {
  constexpr std::array<std::string_view, 3> names = {"batch", "single", "split"};
  return names[static_cast<std::size_t>(layout)];
}
constexpr std::optional<CopyLayout> copy_layout_named(std::string_view name) {
  for (CopyLayout layout : all_copy_layouts) {
    if (name_of(layout) == name) return layout;
  }
  return std::nullopt;
}

/// Copies of one layout from one kind of host memory, each between two marks (docs/design/measurement.md, "Copy
/// trials").
struct CopySeries {
  CopyLayout layout = CopyLayout::batch;
  bool pinned = false;
  std::int64_t bytes = 0;
  std::int64_t tensors = 0;
  std::vector<std::int64_t> trial_ns;
};

/// The h2d pass: copies only.
struct CopyTrials {
  std::string clock;                                            ///< as TimedPass::clock
  bool simulated = false;                                       ///< a host memcpy replaces the copy
  std::optional<std::int64_t> link_bytes_per_s = std::nullopt;  ///< highest rate of the link, if known
  std::vector<CopySeries> series;
};

/// Steps of the logging pass between two synchronisations, with (`on`) or without a call of log_step.
struct LoggingBlock {
  bool on = false;
  std::int64_t wall_ns = 0;
  std::int64_t steps = 0;
  bool skipped_update = false;  ///< as StepSample
};

/// What it costs the host to record the device events of a step, and how often they are recorded because of it.
struct EventCost {
  std::int64_t record_ns = 0;            ///< host time of one record, measured between windows
  std::int64_t records_per_step = 0;     ///< in a window with events
  std::int64_t marked_window_every = 1;  ///< events are recorded in every n-th window of a pass, from its first one

  bool operator==(const EventCost&) const = default;
};

/// Steps whose device work was traced, between two synchronisations.
struct DeviceWorkWindow {
  std::int64_t wall_ns = 0;  ///< on the device's clock; tracing makes it longer than a window of the e2e pass
  std::int64_t work_ns = 0;  ///< the part of it in which the device ran at least one kernel, copy or memset
  std::int64_t records = 0;  ///< kernels, copies and memsets
  std::int64_t steps = 0;
  bool cold_shape = false;
  bool skipped_update = false;  ///< as StepSample

  bool left_out() const { return cold_shape || skipped_update; }
};

/// The passes checkpoint and checkpoint_bytes: what the workload wrote, one entry for each save.
struct CheckpointSaves {
  std::vector<std::int64_t> save_ns = {};  ///< in group timed; with the device idle before and after
  std::vector<std::int64_t> bytes;         ///< size of all files that the save left
};

/// The result of warm-up (docs/design/measurement.md, "Warm-up"). `first_step_ns` is the cold first step.
struct Warmup {
  std::int64_t first_step_ns = 0;
  std::int64_t steps = 0;
  bool steady = false;
  std::vector<std::string> reasons;                    ///< why not steady, one sentence each; empty when steady
  std::optional<EventCost> event_cost = std::nullopt;  ///< absent where the device has no events
};

/// Exact work counters. Each sequence has one entry per counted step.
struct WorkCounts {
  std::map<std::string, std::vector<std::int64_t>> per_step;  ///< metric name -> value of each counted step
  /// metric name -> boundary name -> total over the counted steps; shows in which boundary a change happened
  std::map<std::string, std::map<std::string, std::int64_t>> by_boundary;
  /// boundary name -> operator name -> calls over the counted steps
  std::map<std::string, std::map<std::string, std::int64_t>> operators;
  /// operator name -> calls on threads that load ahead of the step, over the counted steps; they make counts vary
  std::map<std::string, std::int64_t> worker_operators = {};
  /// metric name -> boundary name -> call of the CUDA runtime or driver -> number over the counted steps, for the
  /// metrics that CUPTI counts; "other": calls that count as nothing. saved_bytes_per_step -> boundary name -> operator
  /// -> bytes. Own kernels and library calls by the names of core/kernels/launch_name.h.
  std::map<std::string, std::map<std::string, std::map<std::string, std::int64_t>>> device_calls = {};
  /// Every operator call of the counted steps, sorted by place. Absent in records of older programs.
  std::optional<ObservedWork> observed = std::nullopt;
};

/// Allocator statistics at the end of a boundary, the highest over the watched steps. A field is absent if the device's
/// allocator does not keep it.
struct BoundaryMemory {
  std::int64_t peak_allocated_bytes = 0;
  std::int64_t allocated_bytes = 0;
  std::optional<std::int64_t> requested_bytes = std::nullopt;
  std::optional<std::int64_t> active_bytes = std::nullopt;
  std::optional<std::int64_t> reserved_bytes = std::nullopt;
};

/// What was live when allocated memory peaked, by kind. measure/memory/memory_kinds.h says how a block gets its kind.
struct MemoryLedger {
  std::int64_t peak_bytes = 0;  ///< as the allocator reports it; the kinds add up to it
  std::int64_t step = 0;        ///< the step of the peak, counted from the first step of the pass
  std::string boundary;
  std::map<std::string, std::int64_t> bytes;  ///< "parameters", "gradients", "optimizer_state", "inputs", ...
  std::optional<std::int64_t> fragmentation_bytes =
      std::nullopt;  ///< reserved but not allocated at that moment, on top of the peak

  bool operator==(const MemoryLedger&) const = default;
};

/// One change of live memory in the step with the peak.
struct MemoryEvent {
  std::int64_t bytes = 0;  ///< positive: allocated; negative: freed
  std::string kind;        ///< kind of the block, as in MemoryLedger::bytes
  std::string boundary;
};

/// By how much a level of MemoryProfile::series rose over the counted steps, and what it is that became more.
struct ResourceRise {
  std::map<std::string, std::int64_t> by_boundary;  ///< boundary name -> its rise; none where it is 0
  std::string kind;                                 ///< "socket", "deleted file"; "" for a level that has one kind
  std::string example;                              ///< a path or name; "" where it has none
};

/// The result of the memory pass. Tensor memory is requested bytes on CPU, allocator bytes on CUDA.
struct MemoryProfile {
  /// Series of the catalogue (Metric::series) -> its value at each step's end, after batch and loss were released. A
  /// series of OverSteps::once has one value for the whole process, including warm-up. A series that was not recorded
  /// has no entry. Levels that growth in chunks is computed from are those of the numerics pass and the steps after it.
  std::map<std::string, std::vector<std::int64_t>> series;
  std::vector<std::int64_t> peak_bytes;                  ///< peak within each step
  std::map<std::string, std::int64_t> peak_by_boundary;  ///< boundary name -> highest peak over the steps
  std::map<std::string, BoundaryMemory> by_boundary;
  std::optional<MemoryLedger> ledger = std::nullopt;  ///< absent if the allocator cannot report blocks
  std::int64_t timeline_base_bytes = 0;               ///< live when the timeline begins
  std::vector<MemoryEvent> timeline = {};             ///< events of the step with the peak, in order
  std::map<std::string, std::string> absent = {};     ///< series -> why it could not be recorded
  std::map<std::string, ResourceRise> rises = {};     ///< series of what the process holds, where it rose
};

/// The numerics pass: deterministic mode, fixed seed. Non-finite values are kept as they are.
struct NumericTrace {
  std::vector<double> loss;
  std::vector<double> grad_norm;  ///< global L2 norm after backward, before clipping
  std::string loss_digest;        ///< hash over the bit patterns of all losses
  std::string parameter_digest;   ///< hash over the bit patterns of all parameters after the last step
  /// Name -> its value in each step: the losses that the workload guards beside that of its forward.
  std::map<std::string, std::vector<double>> further_losses = {};
  std::vector<double> loss_scale = {};  ///< after each step; empty where the workload scales no loss
  /// Of a baseline of a GPU: its processes agreed up to rounding, not to the bit
  /// (core/verdict/losses/numeric_tolerance.h).
  bool rounded = false;
  /// Operators without a deterministic implementation, as LibTorch names them ("put_"): the pass ran them all the same,
  /// so losses vary from process to process. Sorted, each once; empty: every operator had one.
  std::vector<std::string> nondeterministic_operators = {};
  /// Of a baseline of an emulated GPU, where a CPU computes what kernels would: its instruction sets, on which no other
  /// value of that baseline depends. Empty for every other one, and in records.
  Fingerprint key = {};
};

/// The instructions pass: instructions that the step's thread ran in user space. They repeat to a few parts in ten
/// thousand, not to the bit.
struct InstructionCounts {
  std::vector<std::int64_t> per_step;               ///< value of each counted step
  std::map<std::string, std::int64_t> by_boundary;  ///< boundary name -> total over the counted steps
};

/// A tensor of a batch that the user's code still held when the next batch was to be written into its memory.
struct KeptTensor {
  std::int64_t index = 0;       ///< into Batch::tensors
  std::string tensor;           ///< "float32[32, 64]", when it was first held
  std::int64_t bytes = 0;       ///< of its memory
  std::int64_t first_step = 0;  ///< the first step after which it was held, as LossBreak::step
  std::int64_t times = 0;       ///< steps after which it was held
  bool overwritten = false;     ///< the step is a CUDA graph, which reads fixed addresses: it got no other memory

  bool operator==(const KeptTensor&) const = default;
};

/// How the kernel scheduled this process's threads from the end of warm-up to the end of the last timed pass, summed
/// over its threads (/proc/self/task/*/schedstat). Evidence of competition for these CPUs, not a timing.
struct Scheduling {
  std::int64_t run_ns = 0;   ///< on a CPU
  std::int64_t wait_ns = 0;  ///< ready to run, but waiting for a CPU
  /// The part of `wait_ns` in which the process's own other threads and its children may have had the CPU.
  std::int64_t own_wait_ns = 0;
};

/// CPU time of everything but the thread of the step: other threads and descendants. Over the windows of the e2e pass,
/// read between them; in group exact over the numerics pass.
struct BackgroundCpu {
  std::int64_t cpu_ns = 0;
  std::int64_t step_cpu_ns = 0;  ///< of the thread of the step
  std::int64_t steps = 0;
  /// Name -> CPU time of the threads that took most of it and still ran at the end; includes what they did between
  /// windows.
  std::map<std::string, std::int64_t> threads = {};
};

/// What a process of alternating windows did while the other process of its pair had its window, from the end of its
/// cold first step on. A side that has no window uses no CPU.
struct WaitingCpu {
  std::int64_t wall_ns = 0;
  std::int64_t cpu_ns = 0;  ///< of its other threads and of its descendants; its step's thread waits for the window
};

struct RunRecord {
  std::string case_name;
  std::map<std::string, std::string> params;
  Group group = Group::timed;
  std::uint64_t seed = 0;
  std::int64_t replicate = 0;  ///< the index that the launcher gave
  StepCounts steps;
  Fingerprint fingerprint;
  StepBoundaries boundaries;                    ///< boundaries of its steps: BoundaryTimes and names refer to them
  std::optional<Warmup> warmup = std::nullopt;  ///< group timed and reference
  std::optional<Scheduling> scheduling =
      std::nullopt;  ///< during the timed passes; absent if the kernel does not report it
  std::optional<BackgroundCpu> background = std::nullopt;
  std::optional<WaitingCpu> waiting = std::nullopt;        ///< in alternating windows
  std::map<std::string, TimedPass> timed;                  ///< e2e, phase, synthetic, loader -> samples
  std::optional<ClosedLoop> requests = std::nullopt;       ///< inference cases, in group timed
  std::optional<OpenLoop> open_requests = std::nullopt;    ///< where the case has a rate of requests
  std::optional<InferenceFacts> inference = std::nullopt;  ///< absent: not an inference case
  std::optional<CopyTrials> h2d = std::nullopt;
  std::vector<LoggingBlock> logging;
  std::vector<DeviceWorkWindow> device_work = {};            ///< empty if the device's work was not traced
  std::optional<CheckpointSaves> checkpoint = std::nullopt;  ///< absent if no checkpoint was asked for or saved
  std::optional<WorkCounts> counts = std::nullopt;
  std::optional<MemoryProfile> memory = std::nullopt;
  std::optional<NumericTrace> numerics = std::nullopt;
  std::optional<InstructionCounts> instructions = std::nullopt;
  /// Pass -> losses of its steps; "warmup" for those before the timed passes. Empty in records of older programs, and
  /// without the passes numerics and profile.
  std::map<std::string, PassLosses> losses = {};
  std::vector<KeptTensor> kept_tensors = {};         ///< in the pass that saw most of them
  std::optional<ProfileRun> profile = std::nullopt;  ///< group profile
  std::map<std::string, std::string> absent;         ///< metric name -> why this device cannot measure it
};

}  // namespace stepgate
