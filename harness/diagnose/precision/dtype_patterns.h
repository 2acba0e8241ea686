// Work in a dtype that costs digits or time, in a step that computes in low precision (float16 or bfloat16).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "diagnose/patterns/pattern.h"

namespace stepgate {

/// FLOPs of matrix products and convolutions by precision, and the float32 site with most of them. A site of the step's
/// own code goes first, since its gradient follows it.
struct ProductFlops {
  double low = 0;  ///< float16 or bfloat16
  double float32 = 0;
  std::int64_t most = 0;
  double own_calls = 0;  ///< of the step's own code, in float32, per step
  bool own = false;
  std::size_t site = 0;  ///< meaningless where float32 is 0
};
ProductFlops product_flops(const ObservedWork& work);

/// Sums over many values in float16: softmax, norms, losses, means. bfloat16 has the range for them, and on a CPU
/// autocast leaves them in it.
std::vector<PatternMatch> find_float16_reductions(const ObservedWork& work);

/// Matrix products and convolutions that stay in float32 while others run in low precision, from 5 % of their FLOPs on.
std::vector<PatternMatch> find_float32_share(const ObservedWork& work);

/// Weights that are cast as transposed views, twice a step or more from one place. Autocast keeps casts of parameters,
/// not of views of them.
std::vector<PatternMatch> find_recast_weights(const ObservedWork& work);

}  // namespace stepgate
