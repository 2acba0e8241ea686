// How much memory does the model take more?
#pragma once

#include <cstdint>

#include "core/verdict/judged_comparison.h"

namespace stepgate {

/// Bytes of parameters that the memory ledgers show more than before; 0 where a ledger is missing.
std::int64_t more_parameter_bytes(const JudgedComparison& input);

/// Both memory ledgers know the parameters, and they are as large as before.
bool has_equal_parameters(const JudgedComparison& input);

/// Bytes of parameters, their gradients and the optimizer's state that the memory ledgers show more than before; 0
/// where a ledger is missing.
std::int64_t more_model_bytes(const JudgedComparison& input);

}  // namespace stepgate
