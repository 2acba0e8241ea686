// Simulated A/B runs of whole cases: several gating times, measured until the rule of a case ends the run
// (docs/design/verdicts.md, "Following metrics").
#pragma once

#include <array>
#include <cstdint>

#include "judge/rules/paired_rule.h"
#include "lab/noise_model.h"

namespace stepgate::lab {

/// When the pairs of a case end.
enum class Ending {
  all_decide,        ///< every gating time keeps the run open
  worse_keeps_open,  ///< following metrics that look no worse do not
  as_built,          ///< nor does a first step that its own spread leaves undecided
};

/// Three leading times with the noise of `model`, a first step with that of `first_step` and a loader supply with that
/// of `supply`. All share the environment of `model`; their processes are independent of each other, which is the worst
/// case for false reds and for waiting.
struct CaseRuns {
  const NoiseModel& model;
  const NoiseModel& first_step;
  const NoiseModel& supply;
  Ending ending = Ending::as_built;
  Margins following_margins = {0.1, 0.3};
  double leading_change = 0;
  double following_change = 0;
  bool first_step_changes = true;  ///< by `following_change`; false: it stays
  bool supply_changes = true;
  std::int64_t suites = 1000;
  std::int64_t cases = 20;
  std::uint64_t seed = 1;
};

/// Sums over suites and cases.
struct CaseRunsOutcome {
  std::int64_t suites = 0;
  std::int64_t red_suites = 0;
  std::int64_t cases = 0;
  std::int64_t red = 0;
  std::int64_t green = 0;            ///< every time proven
  std::int64_t green_with_gaps = 0;  ///< a following time was left undecided or was too noisy, and is named
  std::int64_t inconclusive = 0;
  std::int64_t following = 0;            ///< following times with the change of the plan ...
  std::int64_t following_passed = 0;     ///< ... and those of them that passed
  std::array<std::int64_t, 17> ended{};  ///< runs by the number of pairs at which they ended

  CaseRunsOutcome& operator+=(const CaseRunsOutcome& other);
  /// Pairs at which this share of the runs has ended.
  std::int64_t pairs_at(double share) const;
};

CaseRunsOutcome simulate(const CaseRuns& plan);

}  // namespace stepgate::lab
