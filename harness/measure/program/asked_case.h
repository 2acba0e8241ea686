// The case that the command line asks for: by name, with the parameters and settings it is to run with.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "measure/program/case/run_settings.h"
#include "measure/program/perftest_arguments.h"
#include "stepgate/perftest.h"

namespace stepgate {

/// The case named by --stepgate_case. Group reference takes the reference case only, on whichever device is asked for,
/// because that case shows how fast the machine is. Throws Error(usage) for an unknown case or one that does not go
/// with the group.
Case asked_case(const std::vector<Case>& cases, const PerftestArguments& arguments);

/// `test_case` with `params` over the ones that it declares.
Case with_params(Case test_case, const std::map<std::string, std::string>& params);

/// Seed, threads, data, step counts and rank context of one run of `test_case`.
RunSettings settings_for(const Case& test_case, const PerftestArguments& arguments);

}  // namespace stepgate
