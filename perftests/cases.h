// What this repository guards: the explicit list.
#pragma once

#include <vector>

#include "stepgate/perftest.h"

namespace stepgate {

/// In the order in which they are listed; CMakeLists.txt names each one for CTest.
std::vector<Case> guarded_cases();

}  // namespace stepgate
