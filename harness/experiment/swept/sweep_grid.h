// The settings of a sweep and the order in which they run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/plan.h"
#include "core/study/sweep.h"

namespace stepgate {

/// "batch_size=4,8,16": one parameter with its values. Throws Error(usage) naming --vary for a text without name or
/// values, a value given twice, and threads that are not whole numbers of at least 1.
SweptParameter parse_vary(const std::string& text);

/// Every combination, the last parameter changing fastest. Throws Error(usage) if there is no parameter, one is given
/// twice, or there are fewer than two or more than `most` settings.
std::vector<std::vector<std::string>> grid_of(const std::vector<SweptParameter>& parameters, std::size_t most = 1000);

/// `base` with the values of one setting: threads into the plan, everything else into its params.
Plan plan_of_setting(const Plan& base, const std::vector<SweptParameter>& parameters,
                     const std::vector<std::string>& values);

/// CPUs that are enough for every setting: the largest threads + loader_workers, at least `base.cpus`. All settings get
/// the same number, since more CPUs would also bring more cache.
std::int64_t cpus_for(const Plan& base, const std::vector<SweptParameter>& parameters,
                      const std::vector<std::vector<std::string>>& settings);

/// One permutation of all settings per round, drawn from std::mt19937_64(seed) (Fisher and Yates), so that a drift
/// during the sweep affects every setting alike.
std::vector<std::vector<std::size_t>> round_orders(std::uint64_t seed, std::int64_t rounds, std::size_t settings);

}  // namespace stepgate
