// What two groups of processes that ran one after the other show by themselves: words beside a verdict, never one.
#pragma once

#include <string>

#include "core/verdict/case_values.h"
#include "judge/rules/timed_comparison.h"

namespace stepgate {

/// "the processes alone say +7.9 % [+6.1 %, +9.7 %]: ...", by Welch's difference of logs (welch_estimate.h); positive
/// is worse. Its interval is far narrower than that of the verdict, since it knows nothing of how a machine differs
/// from one hour to the next; what it finds may as well be the machine. "" where a group has fewer than two values, or
/// one that is not positive, or neither varies.
std::string describe_two_groups(const Metric& metric, const CaseValues& base, TimedContext& context);

}  // namespace stepgate
