// A perftest process that the launcher starts: one case, one group, one run record. Its passes run one after the other,
// without Google Benchmark.
#pragma once

#include <vector>

#include "measure/program/perftest_arguments.h"
#include "stepgate/perftest.h"

namespace stepgate {

/// Runs the passes of the asked group and writes the record file. A case that trains on several ranks starts them, and
/// their records are merged. Returns the exit status. Throws Error, DeviceMissing or WorkloadFailure; nothing is
/// written then. A rank that fails ends its process at once.
int record_case(const std::vector<Case>& cases, const PerftestArguments& arguments);

}  // namespace stepgate
