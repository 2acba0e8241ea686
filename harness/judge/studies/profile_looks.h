// When a profile looks at its experiments, and whether further processes are worth their time.
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

struct FurtherProcesses {
  std::int64_t most = 0;    ///< processes that may still be run
  double least_gain = 0.0;  ///< share of the step below which a gain is not worth their time; 0: every gain is
};

/// Whether at most `further.most` processes would decide a block experiment that is undecided `now` and matters: its
/// gain may be `least_gain`, or it is one of the two on the loader, without which no other kind is proven.
/// `at_next_look`: the same processes at the level of the next look, in the same order.
bool is_another_look_worth_it(const std::vector<ExperimentResult>& now,
                              const std::vector<ExperimentResult>& at_next_look, const FurtherProcesses& further);

}  // namespace stepgate
