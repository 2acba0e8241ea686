// The explicit list of the cases that this repository guards.
#pragma once

#include <vector>

#include "stepgate/perftest.h"

namespace stepgate {

/// The cases in the order of the list; CMakeLists.txt names each one for CTest.
std::vector<Case> guarded_cases();

}  // namespace stepgate
