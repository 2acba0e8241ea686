// Which halves of which cases a report judged. A case may pass in one half while the other has no baseline.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "core/verdict/run_report.h"
#include "core/verdict/tier_choice.h"

namespace stepgate {

inline constexpr std::array both_halves = {TierChoice::exact, TierChoice::timed};

/// One half of one case.
struct JudgedTier {
  std::string case_name;
  TierChoice half = TierChoice::exact;
  const Outcome* outcome = nullptr;  ///< of the report; nullptr where no result of this half counts
  const MetricVerdict* metric =
      nullptr;                     ///< the worst gating metric of the half; nullptr where the case itself decides
  Status status = Status::failed;  ///< of the half; failed where it was not measured

  /// Red or green: something was decided.
  bool is_judged() const { return status == Status::pass || status == Status::improved || status == Status::regressed; }
};

/// The halves that this report expects (RunReport::expected_cases, one_half), sorted by case; where it names no
/// expected cases, those that it holds. Of several results of a half, the one that judged it stands. The report must
/// outlive the list.
std::vector<JudgedTier> judged_tiers(const RunReport& report);

/// How many of that half are in the list, and how many were judged.
struct TierCount {
  std::size_t judged = 0;
  std::size_t expected = 0;
};
TierCount count_tiers(const std::vector<JudgedTier>& tiers, TierChoice half);

}  // namespace stepgate
