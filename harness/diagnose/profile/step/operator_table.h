// Which operators does a step spend its time in, where are they in the user's code, and how far are they from the roof?
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/record/profile_run.h"
#include "core/study/profile.h"

namespace stepgate {

struct OperatorTable {
  std::vector<OperatorRow> rows;             ///< by self time, costliest first; the loader's operators are not in it
  std::vector<std::string> without_formula;  ///< "aten::foo, 7.1 % of the step"
  double flops = 0;                          ///< FLOPs of one step
};

/// Observed steps / unobserved steps - 1, over all processes.
double observer_overhead(std::span<const ProfileRun* const> runs);

/// Operators of several processes join where name, boundary, caller, operands and place in the code are equal. Numbers
/// are means over the processes, of one step. An operator that does its work itself has one row with all that it
/// called, since its FLOPs and bytes are those of all (diagnose/profile/step/operator_callers.h). The
/// observer costs each call alike: a time loses that of its calls, but no larger part than the whole steps lost. Shares
/// are those of `step_ns`. Allocated bytes, with those of all operators that it called, stand at the operator that the
/// user's code called. They are those of `counted`, the operators of group exact: the processes of group profile do not
/// count them. Null: there are none.
OperatorTable operator_table(std::span<const ProfileRun* const> runs, const MachinePeaks& peaks, double step_ns,
                             const ObservedWork* counted = nullptr);

}  // namespace stepgate
