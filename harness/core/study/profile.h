// The result of `stepgate profile`: what a step spends its time on, what limits it, how sure that is, and what a mend
// would win. report/ and json/ read nothing else.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/device.h"
#include "core/record/observed_work.h"
#include "core/record/profile_run.h"
#include "core/record/run_record.h"
#include "core/study/experiment.h"
#include "core/study/work_census.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// How sure a claim is (docs/design/profile.md, "Words").
enum class Proof {
  proven,     ///< the lower bound is above the ignore margin
  refuted,    ///< the upper bound is below it
  undecided,  ///< neither
  likely,     ///< the account says so; no experiment could be run
  predicted   ///< from single operators, not from the step
};

/// Of what the times in the operator table are.
enum class OperatorTimes {
  call,    ///< a CPU has computed when a call returns
  host,    ///< a call on a GPU, which returns before its kernels have run
  device,  ///< the kernels, copies and memsets that a call led to
  none     ///< an emulated GPU has none: rows hold calls, FLOPs, bytes and lines
};

constexpr std::string_view name_of(OperatorTimes times) {
  constexpr std::string_view names[] = {"call", "host", "device", "none"};
  return names[static_cast<std::size_t>(times)];
}

constexpr std::string_view name_of(Proof proof) {
  constexpr std::string_view names[] = {"proven", "refuted", "undecided", "likely", "predicted"};
  return names[static_cast<std::size_t>(proof)];
}

/// Claims stand in this order, and by worth within it: a large worth that nothing confirms is not better advice than
/// a smaller one that is proven.
constexpr int rank_of(Proof proof) {
  switch (proof) {
    case Proof::proven:
      return 0;
    case Proof::likely:
    case Proof::predicted:
      return 1;
    case Proof::undecided:
      return 2;
    case Proof::refuted:
      return 3;
  }
  return 3;
}

/// Statistics over the steps of the clean timed processes.
struct StepStatistics {
  std::int64_t steps = 0;
  std::int64_t steady_after = 0;  ///< steps of warm-up
  double median_ns = 0;
  double mean_ns = 0;
  double sd_ns = 0;
  double p95_ns = 0;
  double p99_ns = 0;
  double min_ns = 0;
  double max_ns = 0;
};

/// One part of the step. The parts of an account add up to its step.
struct AccountPart {
  std::string part;  ///< stable: "data-wait", "compute-roof", "below-roof", "bandwidth-roof", "dispatch", "other", ...
  std::string label;
  double ns = 0;  ///< time of one step
  double share = 0;
  std::optional<Bottleneck> kind = std::nullopt;  ///< the kind whose experiments decide about it
};

/// The effect of one experiment over fresh processes.
struct ExperimentResult {
  Experiment experiment = Experiment::synthetic_batch;
  std::int64_t processes = 0;
  std::optional<double> effect = std::nullopt;      ///< by ExperimentRow::effect; absent with fewer than two processes
  std::optional<Interval> interval = std::nullopt;  ///< around the effect, Bonferroni over the experiments run
  Proof proof = Proof::undecided;
  /// How many would decide, if undecided; absent for experiments with processes of their own.
  std::optional<std::int64_t> more_processes = std::nullopt;
  std::string absent = {};  ///< why it has no effect; "" if it has one
  std::string remark = {};  ///< what else its processes say: "not linear: ...", "contradicts delayed-loader: ..."
};

struct BottleneckVerdict {
  Bottleneck kind = Bottleneck::compute;
  Proof proof = Proof::undecided;
  double worth = 0;  ///< the part of the step that it can win, 0 to 1; of a proven kind what was shown
  std::string says;  ///< one line with its evidence
  /// What a mend of a proven kind wins (gain_of_mend() where an experiment takes the resource away); absent for any
  /// other word.
  std::optional<Interval> interval = std::nullopt;
};

/// By how much of the step a program that is built without a resource may differ from steps of a running process that
/// run without it, beyond their scatter: its code and data lie elsewhere, and its caches were never filled with what is
/// gone. Of 16 planted bottlenecks whose boundary was taken away, the mended build of four lay 0.1 to 1.1 % of the step
/// beside what the blocks showed (ci/bottlenecks).
inline constexpr double rebuilt_bias = 0.01;

/// What a mend wins, where an experiment without the resource showed this gain. A bias is no scatter: it adds to the
/// interval, however many processes ran.
inline Interval gain_of_mend(const Interval& shown) {
  return {std::max(std::min(shown.lower, 0.0), shown.lower - rebuilt_bias), shown.upper + rebuilt_bias};
}

/// One row of the operator table.
struct OperatorRow {
  OperatorSite site;              ///< numbers of one step, means over the processes
  std::optional<SourceFrame> at;  ///< the innermost line of the user's code
  /// Time in one step, scaled to a step without observer. For an operator that does the work itself, it includes all
  /// that it called.
  double self_ns = 0;
  double roof_ns = 0;          ///< max(FLOPs / peak, bytes / bandwidth) + floor
  double efficiency = 0;       ///< roof_ns / self_ns
  bool overhead = false;       ///< more than half of it is the floor: it lies on no roof
  bool below_ridge = false;    ///< bandwidth, not FLOPs, makes its roof
  std::string calls_are = {};  ///< "once per token", "5 per parameter tensor"; "" if no count fits
  /// Calls in one step if they are not a whole number; else see site.calls. A shape that one batch in eight has counts
  /// 0.125.
  std::optional<double> fractional_calls = std::nullopt;
};

/// What the operator calls of one place cost: the step while they run twice, against the step as it is.
struct CallCost {
  SourceFrame at;       ///< line 0: all lines of the function
  std::string name;     ///< RepeatedPlace::name
  double observed = 0;  ///< share of the step that the observer saw there, with all that is called from there
  std::optional<Interval> observed_range = std::nullopt;  ///< the least and the most in a process
  /// The most of the step by which second calls cost more than the first: what they push out of the caches (the bytes
  /// that they touch, at the rate of memory), and what it costs to repeat a call within a step. Absent where no rate
  /// was measured.
  std::optional<double> most_overshoot = std::nullopt;
  /// The most of the step that repeating these calls may cost beyond what was taken off, a part of most_overshoot.
  /// Absent in profiles of older versions.
  std::optional<double> most_repeating = std::nullopt;
  std::int64_t calls = 0;  ///< of one step that ran twice
  std::int64_t processes = 0;
  /// Share of the step by which it becomes longer; absent with fewer than two processes.
  std::optional<double> effect = std::nullopt;
  std::optional<Interval> interval = std::nullopt;  ///< Bonferroni over the places
  Proof proof = Proof::undecided;
  std::string absent = {};  ///< why it has no effect; "" if it has one
};

/// What the step would be shorter without these calls, where they have an effect. A second call keeps memory of its own
/// until backward, which may no longer fit the cache: it may cost more than the first, by most_overshoot at most. An
/// observer does not see all that a call costs. So the gain lies between both, and no lower than what second calls cost
/// without that overshoot. Both come out too high where calls are many and small, since each has a price of being
/// observed and of being repeated: so the lower end is never above what second calls cost without that price.
inline Interval gain_of(const CallCost& cost) {
  const Interval seen = cost.observed_range.value_or(Interval{cost.observed, cost.observed});
  const double least_repeated = cost.interval->lower - cost.most_repeating.value_or(0);
  Interval gain{std::min(least_repeated, seen.lower), std::max(cost.interval->upper, seen.upper)};
  if (cost.most_overshoot) gain.lower = std::max(gain.lower, cost.interval->lower - *cost.most_overshoot);
  gain.lower = std::max(gain.lower, std::min(cost.interval->lower, 0.0));  // leaving out what costs time adds none
  return gain;
}

struct Advice {
  double worth = 0;  ///< share of the step; of proven advice what its experiment showed
  Proof proof = Proof::undecided;
  std::string text;
  std::string evidence;  ///< the experiment or observation that it rests on
  /// The line where most of it is; absent where no operator of it has one.
  std::optional<SourceFrame> at = std::nullopt;
};

enum class Answer { ok, look, warning, not_applicable, needs_gpu, unknown };

constexpr std::string_view name_of(Answer answer) {
  constexpr std::string_view names[] = {"ok", "look", "warning", "not applicable", "needs a GPU", "unknown"};
  return names[static_cast<std::size_t>(answer)];
}

struct ChecklistEntry {
  std::string list;  ///< "points", "smoke", "mistakes"
  std::string id;    ///< "1" to "18", or a stable word
  std::string asks;
  Answer answer = Answer::unknown;
  std::string evidence;
};

struct Profile {
  std::string case_name;
  std::string runner_class;
  std::string utc;
  std::string commit;
  std::map<std::string, std::string> params = {};  ///< that differ from those of the case
  Device device = Device::cpu;
  std::int64_t threads = 1;
  std::int64_t cpus = 1;
  std::int64_t processes = 0;  ///< how many were started
  double seconds = 0;
  bool interrupted = false;
  std::string stopped = {};  ///< why later phases did not run: "the step is not steady: ..."; "" if all ran
  StepStatistics step;
  std::map<std::string, double> throughput;  ///< metric -> median, e.g. "samples_per_s"
  double flops = 0;                          ///< FLOPs of one step, by the formulas
  MachinePeaks peaks;
  std::vector<AccountPart> account;
  std::vector<ExperimentResult> experiments;
  std::vector<BottleneckVerdict> bottlenecks;  ///< by rank_of(proof), then worth most first
  std::map<std::string, double> components;    ///< boundary -> ns of one step, from the phase pass
  std::optional<MemoryLedger> memory = std::nullopt;
  std::map<std::string, BoundaryMemory> boundary_memory =
      {};                                         ///< at the end of each boundary, the highest of the steps
  std::vector<OperatorRow> operators;             ///< by self time, costliest first
  std::vector<std::string> without_formula = {};  ///< operators above 2 % of the step whose FLOPs are unknown
  std::vector<CallCost> call_costs = {};          ///< what was shown first, most first
  /// Measured peaks that operators of this step exceed, one sentence each: what is said by them is too good.
  std::vector<std::string> low_roofs = {};
  std::vector<Advice> advice;  ///< by rank_of(proof), then worth most first
  std::vector<ChecklistEntry> checklist;
  double observer_overhead = 0;  ///< 0.14: observed steps took 14 % longer
  OperatorTimes operator_times = OperatorTimes::call;
  std::optional<WorkCensus> census = std::nullopt;  ///< absent where no step was observed
  std::map<std::string, std::string> absent = {};   ///< part -> why it is missing
  std::vector<std::string> files = {};              ///< beside profile.json
};

}  // namespace stepgate
