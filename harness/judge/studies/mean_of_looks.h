// The mean over processes of a first look and of further ones, in which a process says more.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "judge/studies/pooled_scatter.h"

namespace stepgate {

/// One value per process.
struct LookValues {
  std::vector<double> first = {};    ///< all experiments ran in these
  std::vector<double> further = {};  ///< a few ran in these, with more rounds of blocks in the same time
};

/// A process of a further look counts so many times one of the first. Own choice, near the best for what it usually
/// has, 2 to 3 times the rounds: then the standard error is at most 2 % larger than with the best weights, and 5 %
/// where rounds help nothing. It is fixed, so that what the first look showed has no say in it (docs/decisions/0051).
inline constexpr double weight_of_further_look = 2;

/// On the scale on which it is about normal.
struct MeanOfLooks {
  double center = 0;
  double standard_error = 0;
  double freedom = 1;
  std::int64_t processes = 0;
};

/// Scatter from process to process that quantities measured alike share, each look on its own.
struct ScatterOfLooks {
  PooledScatter first;
  PooledScatter further;
};
ScatterOfLooks pooled_by_look(const std::vector<LookValues>& samples);

/// Absent with fewer than two values. The looks scatter differently, so each has its own variance: its mean's is
/// s^2 / n, and the degrees of freedom of both together are those of Welch and Satterthwaite. A look of fewer than two
/// values has no variance: all values then count alike. `shared`: of each look, the larger of the own and of this
/// variance counts, with the degrees of freedom of the latter (judge/studies/pooled_scatter.h); null: the own.
std::optional<MeanOfLooks> mean_of_looks(const LookValues& values, const ScatterOfLooks* shared = nullptr);

}  // namespace stepgate
