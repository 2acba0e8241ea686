// The built-in case that never changes: where its time changes, the machine changed and not the code.
#pragma once

#include "stepgate/perftest.h"

namespace stepgate {

inline constexpr const char* reference_case_name = "reference/matmul_copy/fixed";

/// A fixed matrix product and a fixed copy, about 5 ms per step on one core of 2020; its own step counts.
/// `device` is "cpu" or "cuda".
Case reference_case(const std::string& device);

}  // namespace stepgate
