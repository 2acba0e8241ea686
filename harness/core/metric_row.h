// What a metric is: one row of the catalogue.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/metric_unit.h"

namespace stepgate {

/// How a metric is compared (docs/design/metrics.md, "Tiers").
enum class Tier { exact, bytes, timed, numeric };
enum class Direction { lower_is_better, higher_is_better, neither };
/// How far values stay comparable, so in which file of a case they lie (baseline/baseline_path.h). `portable` metrics
/// mean the same on any CPU under the pins of group exact; `runner` metrics only within a runner class; `device`:
/// counters of a GPU, which one kind of GPU gives on every machine of the class. A metric has one of the first two.
enum class Scope { portable, runner, device };

/// What a value is compared with.
enum class Reference {
  baseline,  ///< the stored or interleaved baseline
  zero,      ///< the baseline too, but one without a value counts as 0; growth above 0 is a leak under any tolerance
  /// as `zero` where the baseline has a value; one without is older than the metric, which is then not judged
  stored_zero,
  always_zero,  ///< 0, whatever a baseline says: none stores it. It decides without a baseline, too
  nothing       ///< shown, not judged, and stored in no baseline
};

/// Whether growth above a baseline of 0 is a leak under any tolerance.
constexpr bool is_from_zero(Reference reference) {
  return reference == Reference::zero || reference == Reference::stored_zero;
}

/// How the values that one process recorded become the values that the judge compares.
enum class OverSteps {
  each,    ///< all are kept: one value per step
  once,    ///< there is one value, of the whole process
  last,    ///< the value at the last step's end
  growth,  ///< growth per step of a level: slope over the step ends
};

/// How the values of several ranks of one training become one.
enum class OverRanks { sum, highest };

struct Metric {
  std::string_view name;  ///< carries its unit, e.g. "step_time_ns"; the key in every file. "loss[*]": a family
  MetricUnit unit;
  Direction direction;
  Tier tier;
  bool gates;              ///< true: it decides the status of its case; false: it only explains
  std::string_view label;  ///< the name in reports, e.g. "step time"

  // For counters only (tiers exact and bytes).
  std::string_view advice = "";  ///< what to check when it got worse; "" where a finding explains it
  OverRanks over_ranks = OverRanks::sum;
  std::string_view series = "";  ///< the series of MemoryProfile that it is computed from; "": none of them
  OverSteps over_steps = OverSteps::each;
  std::int64_t noise_floor = 0;  ///< for growth with nothing measured to compare with: a smaller value counts as 0
  std::int64_t resolution = 0;   ///< for growth against a measured base: a difference up to it says nothing
  std::int64_t least_chunk = 0;  ///< above 0: growth in chunks of at least so much, of levels of the numerics pass
  double margin = 0;             ///< tier bytes: a relative rise up to it passes, in place of the policy's tolerances
  Reference reference = Reference::baseline;
  Scope scope = Scope::portable;  ///< where a stored value stays comparable; times always have scope runner
  bool stores_zero = true;        ///< false: no baseline holds a 0, so that a machine may lack what it is read from
  /// A library answers one call with as many kernels as it likes, so this is compared only where both sides ask the
  /// libraries for the same (judge/libraries/library_shapes.h).
  bool sums_libraries = false;
  bool of_data = false;  ///< depends on the samples: the same code gives another value for other ones

  // For gating times; the margins also for what is tested beside a red.
  bool follows = false;  ///< keeps no run of pairs open that the other gating times have decided
  /// What it costs is counted exactly, so its time withholds no verdict: where its spread leaves it undecided, it is
  /// not judged ("too-noisy").
  bool never_withholds = false;
  double ignore_margin = 0;  ///< relative; the default where it is wider than the suite's margin
  double matter_margin = 0;

  /// For rates only: the gating time that the rate is a function of, once the work of a step is known. A policy may let
  /// such a rate gate, and it then shares the test of that time (docs/decisions/0040). "": no such time.
  std::string_view shares_test_of = "";
};

// A family is one row for metrics whose names a workload gives: "loss[*]" for "loss[discriminator]". Its members are
// measured, stored and judged as its row says.

/// The losses that a workload guards beside the one of its forward.
inline constexpr std::string_view further_loss_family = "loss[*]";
/// The times of the boundaries that a loop names itself.
inline constexpr std::string_view own_boundary_family = "boundary_ns[*]";

}  // namespace stepgate
