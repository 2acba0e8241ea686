// Matrix products that a step writes out, replayed as written and as one product.
#pragma once

#include <vector>

#include "core/record/profile_run.h"
#include "measure/profile/operator_replay.h"

namespace stepgate {

/// One for each of the costliest written products (core/study/written_product.h), on a CPU those above 3 % of the step,
/// on operands of the recorded sizes, with backward where the step computes their gradients. What cannot be made again
/// is left out.
std::vector<ProductReplay> replay_products(const ReplayRequest& request);

}  // namespace stepgate
