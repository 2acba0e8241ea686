#include "experiment/pairs/exact_sides.h"

#include <fmt/format.h>

#include <algorithm>

#include "experiment/plan/measurement_files.h"
#include "launch/pair_order.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// Exact processes of one build, kept in one folder.
struct ExactSide {
  const PairCase& pair_case;
  const fs::path& program;
  fs::path folder;
  std::int64_t processes = 0;
  bool is_further = false;  ///< beside processes of the same build that were measured before
};

MeasurementIdentity identity_of(const PairCase& pair_case, const fs::path& program) {
  return {pair_case.plan.case_name, program, pair_case.case_plan.request.plan.seed};
}

/// Measured, or taken from an interrupted run.
Measurement measure_exact_side(const ExactSide& side, const Caller& caller) {
  if (auto before = completed_measurement(side.folder, identity_of(side.pair_case, side.program)))
    return std::move(*before);
  LaunchRequest request = side.pair_case.case_plan.request;
  request.program = side.program;
  request.out_dir = side.folder;
  request.groups = {Group::exact};
  request.plan.exact_replicates = side.processes;
  request.knows_need_of_values = side.is_further;
  Measurement measurement = measure_case(request, callbacks_for(caller));
  write_measurement(side.folder, measurement);
  return measurement;
}

}  // namespace

std::int64_t exact_processes(const Measurement& measurement) {
  return std::count_if(measurement.replicates.begin(), measurement.replicates.end(), [](const Replicate& replicate) {
    return replicate.group == Group::exact && replicate.record.has_value();
  });
}

ExactMeasurements measure_exact_sides(const PairCase& pair_case, const Caller& caller) {
  const auto side = [&](const char* name, const fs::path& program) {
    return measure_exact_side(
        {pair_case, program, pair_case.folder / "exact" / name, pair_case.case_plan.request.plan.exact_replicates},
        caller);
  };
  ExactMeasurements sides;
  sides.base = side("base", pair_case.builds.base);
  if (!was_interrupted(sides.base)) sides.head = side("head", pair_case.builds.head);
  return sides;
}

ExactMeasurements with_more_processes(const PairCase& pair_case, const Caller& caller, std::int64_t wanted,
                                      ExactMeasurements sides) {
  const std::int64_t more = wanted - exact_processes(sides.base);
  const auto orders = head_first_orders(pair_case.plan.order_seed, pair_case.plan.case_name + " (bytes)", more);
  ExactMeasurements all = sides;
  for (std::size_t i = 0; i < orders.size() && !has_failed(all.base) && !has_failed(all.head); ++i) {
    const fs::path folder = pair_case.folder / "exact" / fmt::format("more-{:03}", i);
    // Both are measured anew: the processes of a pair are neighbours in time.
    const bool complete = completed_measurement(folder / "base", identity_of(pair_case, pair_case.builds.base)) &&
                          completed_measurement(folder / "head", identity_of(pair_case, pair_case.builds.head));
    if (!complete) fs::remove_all(folder);
    for (const bool is_head : {static_cast<bool>(orders[i]), !orders[i]}) {
      const fs::path& program = is_head ? pair_case.builds.head : pair_case.builds.base;
      const Measurement one =
          measure_exact_side({pair_case, program, folder / (is_head ? "head" : "base"), 1, true}, caller);
      if (was_interrupted(one)) return sides;
      auto& into = (is_head ? all.head : all.base).replicates;
      into.insert(into.end(), one.replicates.begin(), one.replicates.end());
    }
  }
  all.interleaved = true;
  return all;
}

}  // namespace stepgate
