// The likely source of values that differ between processes of the same code, from which values differ and where.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace stepgate {

/// Some hundred roundings of a 32-bit float (1.2e-7 each): sums in another order differ by less, other data or weights
/// by far more.
inline constexpr double largest_rounding = 1e-5;

/// Losses and gradient norms of two processes of the same code.
struct VaryingNumerics {
  std::optional<std::size_t> loss_step;  ///< the first step whose losses differ
  std::optional<std::size_t> norm_step;  ///< likewise of the gradient norms
  double relative = 0;                   ///< difference in the first of these steps
  bool other_data = false;               ///< samples, tokens or shapes differ too
};

/// One clause. `operators`: boundary name -> operator name -> calls.
std::string source_of_numerics(const VaryingNumerics& varying,
                               const std::map<std::string, std::map<std::string, std::int64_t>>& operators);

/// One clause, by the boundaries whose counts differ.
std::string source_of_counts(const std::set<std::string>& boundaries, bool losses_vary);

/// One clause. `work_varies`: counts or losses vary too.
std::string source_of_bytes(bool work_varies);

}  // namespace stepgate
