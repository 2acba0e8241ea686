// What the experiments of `stepgate profile` prove: effect, interval and word of each of them.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/record/measurement.h"
#include "core/study/profile.h"

namespace stepgate {

struct ExperimentRules {
  double level = 0.95;                ///< level of all intervals together
  double ignore_margin = 0.01;        ///< relative: a smaller gain does not matter
  std::int64_t most_processes = 100;  ///< larger numbers that would decide are not reported
};

struct ExperimentProcesses {
  const Measurement& profile;
  const Measurement& timed;  ///< the processes that doubled_batch and doubled_threads are compared with
  const Measurement* doubled_batch = nullptr;    ///< null: it did not run
  const Measurement* doubled_threads = nullptr;  ///< likewise
  /// Processes of `profile` with an index below it are of the first look; those of further looks run fewer experiments.
  std::int64_t first_look = std::numeric_limits<std::int64_t>::max();
  /// Results, at the level of their last look, of experiments that later processes no longer ran: they hold as they
  /// are.
  std::vector<ExperimentResult> ended = {};
};

/// Pure. One result for each row of experiment_table, in its order. The unit is one clean process.
///
/// Block experiments: y = mean over the rounds of ln(step time of the variant / step time of the baseline block of the
/// same round); Student's t interval of the mean of y over the processes. The scatter of
/// gains is pooled, because their blocks run in the same rounds (judge/studies/pooled_scatter.h): in 18 of 28 profiles
/// of tiny cases on two shared CPUs their variances differed no more than those of equal ones do. What is no gain keeps
/// its own: a thief scattered up to ten times as much. Processes of further looks count more, and each look has a
/// scatter of its own (judge/studies/mean_of_looks.h).
///   gain         1 - exp(y). That of resident-batch is taken against synthetic-batch: its step without its copy.
///   criticality  through the origin over all delays d: c = sum(d e) / sum(d^2), e = baseline step * (exp(y) - 1). One
///                that has no delay is exp(y) - 1: busy-core, and bandwidth-thief, which is taken against busy-core.
///   scaling      exp(y)
/// Process experiments: y = ln of the mean step of a process; difference of the means of the doubled and of the timed
/// processes (two-sample t). Their variance is pooled with that of the baseline blocks of the profile processes, whose
/// mean plays no part, because blocks are not the e2e pass: sum of (n - 1) degrees of freedom. So one doubled process
/// is enough.
/// operator-replay: for each operator and form, share of the step * (1 - T(form) / T(as recorded)), and of these the
/// one with the largest mean; its interval does not know that it was chosen. An operator whose work takes less than the
/// cheapest call has no forecast.
///
/// Every interval has the level 1 - (1 - level) / K for the K experiments that have an effect (Bonferroni). Words:
///   proven   the lower bound of the claim is above the margin
///   refuted  its upper bound is below the margin
///   else undecided; what runs in the profile's processes with the further ones after which an interval with the same
///   scatter would decide.
/// The claim is the effect, but for scaling: doubled-batch claims a fixed share 2 - T2/T, doubled-threads a gain
/// 1 - T2/T, and extra-sync that the step drains its device anyway: it is proven if the tax stays below the margin. The
/// margin is ignore_margin; for a delay it is ignore_margin * T / largest delay: the share of a delay that would move
/// the step by the ignore margin. A gain that contradicts a refuted criticality of the same kind is undecided.
std::vector<ExperimentResult> experiment_results(const ExperimentProcesses& processes,
                                                 const ExperimentRules& rules = {});

}  // namespace stepgate
