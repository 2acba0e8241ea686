// The part of a perftest program's main that concerns a case training on several processes.
#pragma once

#include <exception>

#include "measure/program/case_run.h"
#include "measure/program/perftest_arguments.h"

namespace stepgate {

/// Where this process sits among the ranks of `test_case`; the only seat where it is started as no rank.
RankContext rank_context_of(const Case& test_case, const PerftestArguments& arguments);

/// The end of a rank that failed, at once: tells first whose failure it is, and takes nothing down that the others
/// would wait for (a gradient exchange that is never answered) or trip over before this one is heard.
[[noreturn]] void end_rank(const PerftestArguments& arguments, const std::exception_ptr& thrown);

/// This process starts the ranks and runs no step itself; returns the exit status.
int run_all_ranks(const Case& test_case, const PerftestArguments& arguments);

}  // namespace stepgate
