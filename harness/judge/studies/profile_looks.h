// When a profile looks at its experiments, whether further processes are worth their time, and what they run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/study/profile.h"

namespace stepgate {

/// A profile that decides after each lot of processes looks at the same experiments several times. 1 - the level of the
/// intervals at look `look` (0, 1, ...) of at most `looks`: together the looks leave an error of 5 %. Four processes
/// give three degrees of freedom, so the first look gets a small share of it and proves only what is plain.
double error_of_look(std::size_t look, std::size_t looks);

/// What an interval may be wide, as a share of the gain that it tells.
inline constexpr double widest_told = 0.5;
/// A smaller gain is not worth half a minute more of every profile: own choice, half of what people act on (10 %).
inline constexpr double gain_worth_processes = 0.05;

struct FurtherProcesses {
  std::int64_t most = 0;    ///< processes that may still be run
  double least_gain = 0.0;  ///< share of the step below which a gain is not worth their time; 0: every gain is
};

/// A gain that is proven, and what its mend wins is told with an interval wider than half of it: it says that there is
/// something to win and hardly how much.
bool is_told_too_widely(const ExperimentResult& result);

/// Whether at most `further.most` processes would decide a block experiment that is undecided `now` and matters: its
/// gain may be `least_gain`, or it is one of the two on the loader, without which no other kind is proven. So does a
/// gain of 8 % that is told too widely, and of `least_gain`.
/// `at_next_look`: the same processes at the level of the next look, in the same order.
bool is_another_look_worth_it(const std::vector<ExperimentResult>& now,
                              const std::vector<ExperimentResult>& at_next_look, const FurtherProcesses& further);

/// The experiments that further processes run, in the order of the table: those of the blocks that matter and are
/// undecided or told too widely, and what these are compared with. With fewer experiments each has more rounds in the
/// same time. None where all are decided.
std::vector<Experiment> experiments_of_next_look(const std::vector<ExperimentResult>& now, double least_gain);

/// Of `results`, those of the blocks that have an effect and that further processes, which run `chosen`, leave as they
/// are.
std::vector<ExperimentResult> ended_before(std::vector<ExperimentResult> results,
                                           const std::vector<Experiment>& chosen);

}  // namespace stepgate
