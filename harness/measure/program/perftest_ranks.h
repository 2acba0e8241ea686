// The part of a perftest program's main that concerns a case training on several processes.
#pragma once

#include <exception>

#include "measure/program/perftest_arguments.h"
#include "measure/ranks/rank_context.h"
#include "stepgate/perftest.h"

namespace stepgate {

/// The rank context of this process in `test_case`; that of a single rank where it was not started as one.
RankContext rank_context_of(const Case& test_case, const PerftestArguments& arguments);

/// Ends a rank that failed, at once. It first reports its number, so that its failure is the one that is shown. It
/// destroys nothing: the other ranks could wait for a gradient exchange that is never answered, or fail because of it
/// before this failure is reported.
[[noreturn]] void end_rank(const PerftestArguments& arguments, const std::exception_ptr& thrown);

/// This process starts the ranks and runs no step itself; returns the exit status.
int run_all_ranks(const Case& test_case, const PerftestArguments& arguments);

}  // namespace stepgate
