// What a metric is, and the catalogue of every metric that stepgate knows. A row of the catalogue is all that the
// record format, the reduction, the merge of ranks, the judge and the report need to know about a counter.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace stepgate {

/// How a metric is compared (docs/design/metrics.md, "Tiers").
enum class Tier { exact, bytes, timed, numeric };
enum class Direction { lower_is_better, higher_is_better, neither };
/// `portable` metrics mean the same on any CPU under the pins of the exact group; `runner` metrics only within a runner
/// class.
enum class Scope { portable, runner };

/// What a value is compared with.
enum class Reference {
  baseline,  ///< the stored or interleaved baseline
  zero,      ///< likewise; a baseline without a value counts as 0, and growth above 0 is a leak under any tolerance
  nothing    ///< shown, not judged, and stored in no baseline
};

/// How the values that one process recorded become what the judge compares.
enum class OverSteps {
  each,    ///< kept: one value per step
  once,    ///< there is one value, of the whole process
  last,    ///< the value at the last step's end
  growth,  ///< growth per step of a level: slope over the step ends
};

/// How the values of several ranks of one training become one.
enum class OverRanks { sum, highest };

struct Metric {
  std::string_view name;  ///< carries its unit, e.g. "step_time_ns"; the key in every file
  std::string_view unit;  ///< "ns", "bytes", "count", "tokens/s", "samples/s", "ratio", ""
  Direction direction;
  Tier tier;
  bool gates;              ///< decides the status of its case; the others explain
  std::string_view label;  ///< what a person reads, e.g. "step time"

  // Of counters: tiers exact and bytes.
  std::string_view advice = "";  ///< what to look for when it got worse; "" where a finding of its own says more
  OverRanks over_ranks = OverRanks::sum;
  std::string_view series = "";  ///< name of the memory pass's series that it is reduced from; "": not of that pass
  OverSteps over_steps = OverSteps::each;
  std::int64_t noise_floor = 0;  ///< of growth: what is smaller, or negative, counts as 0
  Reference reference = Reference::baseline;
  Scope scope = Scope::portable;  ///< where a stored value means the same; times are always of scope runner
};

/// Every known metric, in the order in which reports list them.
std::span<const Metric> metric_catalogue();

/// nullptr where no metric has that name.
const Metric* find_metric(std::string_view name);

/// The first metric that is reduced from that series of the memory pass; nullptr where there is none.
const Metric* find_series(std::string_view series);

std::string_view name_of(Tier tier);
std::string_view name_of(Direction direction);
std::string_view name_of(Scope scope);

}  // namespace stepgate
