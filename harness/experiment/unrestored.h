// What a recovery could not put back, told.
#pragma once

#include <cstdio>

#include "environment/guard/recovery.h"

namespace stepgate {

/// What somebody else changed meanwhile: left alone, and where it is written down.
void print_conflicts(std::FILE* to, const Recovery& recovery);

/// What could not be set back, on stderr, and what to do next.
void print_failures(const Recovery& recovery);

}  // namespace stepgate
