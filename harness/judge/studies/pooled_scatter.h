// The scatter from process to process that quantities of the same processes share.
#pragma once

#include <vector>

namespace stepgate {

struct PooledScatter {
  double variance = 0;  ///< of one process
  double freedom = 0;   ///< its degrees of freedom; 0 where no sample has two values
};

/// Each sample has one value per process, and samples of fewer than two values are left out. They are compared with the
/// same blocks, which correlates two of them by up to 1/2, and their variances, if normal, by its square. So the pooled
/// variance has sum of (n - 1) / (1 + (K - 1) / 4) degrees of freedom for K samples.
PooledScatter pooled_scatter(const std::vector<std::vector<double>>& samples);

/// A handful of processes leave few degrees of freedom, so what is measured alike shares its scatter. But what scatters
/// by itself must not hide among the quiet: the larger of the own and of the pooled variance counts.
double shared_variance(const std::vector<double>& sample, const PooledScatter& pooled);

}  // namespace stepgate
