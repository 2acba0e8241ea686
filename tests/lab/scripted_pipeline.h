// Training steps whose bottleneck is known, in virtual time: a loader with a prefetch queue, a host that queues work, a
// device that runs it. Every experiment is the same pipeline with other costs, so that the true gain of a resource is
// the pipeline without it and without noise.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/boundary.h"
#include "core/study/experiment.h"
#include "diagnose/profile/profile_case.h"
#include "lab/noise_model.h"

namespace stepgate::lab {

/// Nanoseconds of one step. On a CPU everything but the loader runs one after another. On a GPU the host queues
/// (dispatch, half of the optimizer, logging) and the device runs the copy, compute, bandwidth and the other half of
/// the optimizer; the step is cut into chunks.
struct ScriptedPipeline {
  std::string name = {};
  bool gpu = false;
  bool syncs = false;  ///< the host waits for the device after every chunk
  bool syncs_at_boundaries = false;
  int queue = 2;  ///< batches that the loader prepares ahead
  double loader_ns = 0;
  double copy_ns = 0;
  double dispatch_ns = 0;
  double compute_ns = 0;
  double bandwidth_ns = 0;
  double optimizer_ns = 0;
  double logging_ns = 0;
  /// Host time by boundary that does not grow with the batch. That of data_wait is in next_batch() itself.
  std::array<double, boundary_count> fixed_ns{};
  /// The kind that it was made for; absent where no experiment stands for what limits it.
  std::optional<Bottleneck> limited_by = Bottleneck::compute;

  double& fixed_in(Boundary boundary) { return fixed_ns.at(static_cast<std::size_t>(boundary)); }
  double fixed_in(Boundary boundary) const { return fixed_ns.at(static_cast<std::size_t>(boundary)); }
  /// The time of a batch that is loaded alone.
  double loading_ns() const { return loader_ns + fixed_in(Boundary::data_wait); }
  /// As measure/profile/experiments/loader_pace.cpp calls it.
  bool loads_too_fast() const { return loading_ns() < 20'000; }
};

/// Without noise, over many steps.
double true_step_ns(const ScriptedPipeline& pipeline);

/// 1 - T(resource costs nothing) / T.
double true_gain(const ScriptedPipeline& pipeline, Bottleneck resource);

/// `count` pipelines: loader/step ratios 0.3 to 1.5 and steps limited by sync, copy, optimizer, launch, bandwidth,
/// compute and logging, with drawn costs. The same seed gives the same pipelines.
std::vector<ScriptedPipeline> scripted_pipelines(std::int64_t count, std::uint64_t seed);

/// Of the same kinds, with loaders of 1 to 15 us a batch: those of a language model whose tokens were prepared.
std::vector<ScriptedPipeline> pipelines_with_fast_loaders(std::int64_t count, std::uint64_t seed);

/// One boundary after the other takes 0.3 to 3 times as long as the rest of the step, whatever the batch; on a CPU and
/// on a GPU, on which every other one syncs.
std::vector<ScriptedPipeline> pipelines_with_fixed_costs(std::int64_t count, std::uint64_t seed);

struct PipelineDraw {
  std::uint64_t seed = 0;
  int profile_processes = 4;
  int rounds = 8;  ///< of the blocks, where all experiments run
  /// Further processes run these, with more rounds in the same time, as many as before; none: there are no further
  /// ones.
  std::vector<Experiment> further = {};
};

/// All processes of a profile of it: 3 timed, 1 exact, some of group profile, 2 doubled ones of each kind.
/// Draws of the same seed that differ in what further processes run begin with the same ones.
/// Each step's costs are multiplied by a draw from `noise.trace`, each process's by a normal factor with
/// noise.process_sd.
ProfileInput profiled(const ScriptedPipeline& pipeline, const NoiseModel& noise, const PipelineDraw& draw);

}  // namespace stepgate::lab
