// A perftest that a person starts: an ordinary Google Benchmark program with one benchmark per case and pass.
#pragma once

#include <string>
#include <vector>

#include "measure/program/perftest_arguments.h"
#include "stepgate/perftest.h"

namespace stepgate {

/// Registers all cases and runs what --benchmark_filter selects. Returns the exit status. Throws Error(usage) for a
/// flag that Google Benchmark does not know. The library keeps a pointer into `program` for its report.
int run_by_hand(const std::vector<Case>& cases, const PerftestArguments& arguments, std::string& program);

}  // namespace stepgate
