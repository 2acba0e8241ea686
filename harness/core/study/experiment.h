// The experiments of `stepgate profile`, and the kinds of bottleneck that they prove or refute: one row each.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "core/boundary.h"

namespace stepgate {

/// What can limit a step.
enum class Bottleneck { input, launch, sync, copy, communication, optimizer, logging, compute, bandwidth, operators };

constexpr std::string_view name_of(Bottleneck kind) {
  constexpr std::string_view names[] = {"input",     "launch",  "sync",    "copy",      "communication",
                                        "optimizer", "logging", "compute", "bandwidth", "operators"};
  return names[static_cast<std::size_t>(kind)];
}

/// One way to change a step in order to see what limits it (docs/design/profile.md, "Experiments").
enum class Experiment {
  synthetic_batch,
  delayed_loader,
  doubled_batch,
  resident_batch,
  extra_sync,
  exchange_off,
  optimizer_skipped,
  optimizer_fused,
  logging_off,
  doubled_threads,
  busy_core,
  bandwidth_thief,
  operator_replay,
  cuda_graph,
  delayed_stream,
  lower_clock
};

/// Why there is no delayed-loader where loading cannot be what limits the step.
/// A step of some hundred microseconds may wait even for such a loader.
inline constexpr std::string_view too_fast_to_delay = "a batch comes within 20 us: too fast to be delayed";

/// What its effect says.
enum class Effect {
  gain,         ///< the resource is removed: 1 - T(without) / T, the most that any mend can win
  criticality,  ///< the resource is delayed by d: (T(delayed) - T) / d, the share of a delay that reaches the step
  scaling,      ///< the resource is doubled: T(doubled) / T
  predicted     ///< an operator is replayed in another form: its share of T times (1 - T(form) / T(as it is))
};

/// The arrangement in which it runs.
enum class Arrangement {
  block,    ///< a variant in the same processes, in blocks of steps that take turns with the unchanged step
  process,  ///< processes of their own, with another plan
  replay,   ///< single operators in the same processes, after the blocks
  later     ///< needs a device at hand; listed, never run
};

/// What is above the margin where an experiment is proven. T2: the time of a step with it.
enum class Claim {
  effect,       ///< as it is
  fixed_share,  ///< 2 - T2/T: what stays as it is while the resource is doubled
  saved_time,   ///< 1 - T2/T
  small_tax     ///< T2/T - 1, which is proven where it stays below the margin
};

/// How a page shows its effect.
enum class ShownAs {
  by_effect,  ///< a gain and a scaling as the change of the step, a criticality as the share of a delay that reaches it
  ratio,      ///< "x 1.75": a batch of twice the size takes up to twice the time
  change      ///< the change of the step: it delays nothing by a time of its own
};

struct ExperimentRow {
  Experiment experiment;
  std::string_view name;  ///< in files and pages
  Bottleneck shows;
  Effect effect;
  Arrangement arrangement;
  std::string_view says;  ///< what is done, for the page
  Claim claim = Claim::effect;
  ShownAs shown = ShownAs::by_effect;
  /// Its step is compared with that of this one, block by block. A gain is what this one wins beyond it. Absent: it is
  /// compared with the unchanged step.
  std::optional<Experiment> compared_with = std::nullopt;
  /// It removes at most the time of this boundary, so that the phase pass bounds its gain.
  std::optional<Boundary> removes = std::nullopt;
};

/// In the order of Experiment.
inline constexpr std::array experiment_table = {
    ExperimentRow{Experiment::synthetic_batch, "synthetic-batch", Bottleneck::input, Effect::gain, Arrangement::block,
                  "one batch stays on the device, no loader"},
    ExperimentRow{Experiment::delayed_loader, "delayed-loader", Bottleneck::input, Effect::criticality,
                  Arrangement::block, "each batch comes later"},
    ExperimentRow{Experiment::doubled_batch, "doubled-batch", Bottleneck::launch, Effect::scaling, Arrangement::process,
                  "batch_size x 2", Claim::fixed_share, ShownAs::ratio},
    ExperimentRow{Experiment::resident_batch, "resident-batch", Bottleneck::copy, Effect::gain, Arrangement::block,
                  "one host batch, copied each step", Claim::effect, ShownAs::by_effect, Experiment::synthetic_batch,
                  Boundary::h2d},
    ExperimentRow{Experiment::extra_sync, "extra-sync", Bottleneck::sync, Effect::scaling, Arrangement::block,
                  "the device is synchronised at each boundary", Claim::small_tax},
    ExperimentRow{Experiment::exchange_off, "exchange-off", Bottleneck::communication, Effect::gain, Arrangement::block,
                  "no exchange of gradients"},
    ExperimentRow{Experiment::optimizer_skipped, "optimizer-skipped", Bottleneck::optimizer, Effect::gain,
                  Arrangement::block, "gradients are reset, parameters stay", Claim::effect, ShownAs::by_effect,
                  std::nullopt, Boundary::optimizer},
    ExperimentRow{Experiment::optimizer_fused, "optimizer-fused", Bottleneck::optimizer, Effect::gain,
                  Arrangement::block, "one fused update of the same tensors", Claim::effect, ShownAs::by_effect,
                  std::nullopt, Boundary::optimizer},
    ExperimentRow{Experiment::logging_off, "logging-off", Bottleneck::logging, Effect::gain, Arrangement::block,
                  "log_step is not called", Claim::effect, ShownAs::by_effect, std::nullopt, Boundary::logging},
    ExperimentRow{Experiment::doubled_threads, "doubled-threads", Bottleneck::compute, Effect::scaling,
                  Arrangement::process, "threads x 2", Claim::saved_time},
    ExperimentRow{Experiment::busy_core, "busy-core", Bottleneck::bandwidth, Effect::criticality, Arrangement::block,
                  "another core computes in its registers", Claim::effect, ShownAs::change},
    ExperimentRow{Experiment::bandwidth_thief, "bandwidth-thief", Bottleneck::bandwidth, Effect::criticality,
                  Arrangement::block, "another core streams memory instead", Claim::effect, ShownAs::change,
                  Experiment::busy_core},
    ExperimentRow{Experiment::operator_replay, "operator-replay", Bottleneck::operators, Effect::predicted,
                  Arrangement::replay, "the costliest operators alone, as recorded and altered"},
    ExperimentRow{Experiment::cuda_graph, "cuda-graph", Bottleneck::launch, Effect::gain, Arrangement::later,
                  "the step is replayed as a CUDA graph"},
    ExperimentRow{Experiment::delayed_stream, "delayed-stream", Bottleneck::compute, Effect::criticality,
                  Arrangement::later, "the compute stream sleeps"},
    ExperimentRow{Experiment::lower_clock, "lower-clock", Bottleneck::compute, Effect::scaling, Arrangement::later,
                  "the GPU's clock is lowered"},
};

constexpr const ExperimentRow& row_of(Experiment experiment) {
  return experiment_table[static_cast<std::size_t>(experiment)];
}
constexpr std::string_view name_of(Experiment experiment) { return row_of(experiment).name; }
constexpr std::optional<Experiment> experiment_named(std::string_view name) {
  for (const ExperimentRow& row : experiment_table) {
    if (row.name == name) return row.experiment;
  }
  return std::nullopt;
}
static_assert(std::all_of(experiment_table.begin(), experiment_table.end(),
                          [](const ExperimentRow& row) { return row_of(row.experiment).name == row.name; }),
              "experiment_table lists the experiments in the order of enum Experiment");

}  // namespace stepgate
