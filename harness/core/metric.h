// What a metric is, and the catalogue of every metric that stepgate knows. The record format, the reduction, the merge
// of ranks, the judge and the report read everything about a counter from its row here.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace stepgate {

/// How a metric is compared (docs/design/metrics.md, "Tiers").
enum class Tier { exact, bytes, timed, numeric };
enum class Direction { lower_is_better, higher_is_better, neither };
/// Where values stay comparable, and so in which file of a case they lie (baseline/baseline_path.h). `portable` metrics
/// mean the same on any CPU under the pins of the exact group; `runner` metrics only within a runner class; `device`:
/// counters of a GPU, which one kind of GPU gives on every machine of the class. A metric has one of the first two.
enum class Scope { portable, runner, device };

/// What a value is compared with.
enum class Reference {
  baseline,  ///< the stored or interleaved baseline
  zero,      ///< the baseline too, but one without a value counts as 0; growth above 0 is a leak under any tolerance
  nothing    ///< shown, not judged, and stored in no baseline
};

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
  std::string_view unit;  ///< "ns", "bytes", "count", "tokens/s", "samples/s", "ratio", ""
  Direction direction;
  Tier tier;
  bool gates;              ///< true: it decides the status of its case; false: it only explains
  std::string_view label;  ///< the name in reports, e.g. "step time"

  // For counters only (tiers exact and bytes).
  std::string_view advice = "";  ///< what to check when it got worse; "" where a finding explains it
  OverRanks over_ranks = OverRanks::sum;
  std::string_view series = "";  ///< the memory pass's series that it is computed from; "": another pass
  OverSteps over_steps = OverSteps::each;
  std::int64_t noise_floor = 0;  ///< for growth: a smaller or negative value counts as 0
  double margin = 0;             ///< tier bytes: a relative rise up to it passes, in place of the policy's tolerances
  Reference reference = Reference::baseline;
  Scope scope = Scope::portable;  ///< where a stored value stays comparable; times always have scope runner

  // For gating times only.
  bool follows = false;      ///< keeps no run of pairs open that the other gating times have decided
  double ignore_margin = 0;  ///< relative; the default where it is wider than the suite's margin
  double matter_margin = 0;
};

/// Every known metric, in the order in which reports list them.
std::span<const Metric> metric_catalogue();

/// The row of that metric; of a member of a family ("loss[discriminator]") the row of its family. nullptr if no metric
/// has that name.
const Metric* find_metric(std::string_view name);

// A family is one row for metrics whose names a workload gives: "loss[*]" for "loss[discriminator]". Its members are
// measured, stored and judged as its row says.

/// The losses that a workload guards beside the one of its forward.
inline constexpr std::string_view further_loss_family = "loss[*]";
/// The times of the boundaries that a loop names itself.
inline constexpr std::string_view own_boundary_family = "boundary_ns[*]";

/// True for the row of a family, which is no metric itself.
bool is_family(const Metric& metric);
/// ("loss[*]", "discriminator") -> "loss[discriminator]".
std::string member_of(std::string_view family, std::string_view member);
/// "loss[discriminator]" -> "discriminator"; "" for a metric that is not a member of a family.
std::string_view member_name(std::string_view metric);
/// The name in reports: "step time", "discriminator loss"; `metric` itself where the catalogue does not know it.
std::string label_of(std::string_view metric);
/// The catalogue's metrics among these names, in its order, members of a family each with its own name. They refer to
/// the names.
std::vector<Metric> known_metrics(const std::set<std::string_view>& names);
/// Whether the metric is the time of a boundary.
bool is_boundary_time(std::string_view metric);

/// The first metric that is computed from that series of the memory pass; nullptr if there is none.
const Metric* find_series(std::string_view series);

std::string_view name_of(Tier tier);
std::string_view name_of(Direction direction);
std::string_view name_of(Scope scope);

}  // namespace stepgate
