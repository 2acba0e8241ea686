#include "experiment/pairs/measure_in_pairs.h"

#include "experiment/pairs/pair_judgement.h"
#include "experiment/pairs/resumption.h"
#include "experiment/pairs/seed_runs.h"
#include "experiment/plan/measurement_files.h"
#include "judge/interval/pair_plan.h"
#include "judge/reduce/pairs/reduce_pairs.h"

namespace stepgate {
namespace {

/// Absent if the control was not needed, or is too short to have a spread.
std::optional<ControlResult> usable_control(const PairsSoFar& timed) {
  constexpr std::size_t fewest_pairs = 2;
  ControlResult result = control_result(timed.control);
  if (result.pairs.size() < fewest_pairs) return std::nullopt;
  return result;
}

void measure_exact_half(const PairRun& pairs, PairMeasurement& measured) {
  const Caller& caller = pairs.run.caller;
  const PairCase& pair_case = measured.pair_case;
  ExactMeasurements sides = pairs.decides_bytes ? exact_half_of(pairs.run.project, pair_case, caller)
                                                : measure_exact_sides(pair_case, caller);
  const bool failed = has_failed(sides.base) || has_failed(sides.head);
  measured.exact = std::move(sides);
  if (caller.interrupted == 0 && pair_case.plan.seeds > 0 && !failed)
    measured.trajectories = measure_seeds(pair_case, caller);
}

void measure_timed_half(const PairRun& pairs, PairMeasurement& measured) {
  const PairCase& pair_case = measured.pair_case;
  measured.timed = measure_pairs(pair_case, pairs.run.caller, [&](const PairsSoFar& so_far) {
    return look_at_pairs(pairs.run.project, pair_case, so_far);
  });
  if (pair_case.plan.control) measured.control = usable_control(measured.timed);
}

}  // namespace

ExactMeasurements exact_half_of(const Project& head, const PairCase& pair_case, const Caller& caller) {
  ExactMeasurements sides = measure_exact_sides(pair_case, caller);
  if (caller.interrupted != 0) return sides;
  const std::int64_t wanted = exact_processes_wanted(head, pair_case, sides);
  if (wanted <= exact_processes(sides.base)) return sides;
  return with_more_processes(pair_case, caller, wanted, std::move(sides));
}

std::optional<PairMeasurement> measure_in_pairs(const PairRun& pairs, const CaseToPair& wanted) {
  const std::atomic<int>& interrupted = pairs.run.caller.interrupted;
  const CasePlan& plan = wanted.plan;
  PairMeasurement measured{.pair_case = open_pair_case(pairs, wanted), .control = wanted.control};
  if (judges_exact(plan.tier, plan.entry)) measure_exact_half(pairs, measured);
  if (interrupted != 0) return std::nullopt;
  if (judges_timed(plan.tier)) measure_timed_half(pairs, measured);
  if (interrupted != 0) return std::nullopt;
  complete_plan(measured.pair_case.folder, measured.pair_case.plan);
  return measured;
}

std::optional<ControlResult> control_for_next(const PairMeasurement& measured) {
  const std::int64_t fewest = first_red_analysis(default_pair_plan());
  if (!measured.control || std::ssize(measured.control->pairs) < fewest) return std::nullopt;
  return measured.control;
}

}  // namespace stepgate
