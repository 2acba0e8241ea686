// The cases of a perftest program: checked, found by name, listed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "stepgate/perftest.h"

namespace stepgate {

/// Throws Error(usage) naming the case where a name is not "<suite>/<workload>/<variant>" in [a-z0-9_], appears twice,
/// has no factory or loop or both, a device other than cpu and cuda, or step counts below 1.
void require_well_formed(const std::vector<Case>& cases);

/// Throws Error(usage) that names the nearest case if there is no such case.
const Case& case_named(const std::vector<Case>& cases, std::string_view name);

/// One name a line.
std::string list_text(const std::vector<Case>& cases);

/// {"schema": {"name": "stepgate.cases", "major": 1, "minor": 0}, "cases": [{"name", "device", "dtype", "params",
/// "steps", "version", "ranks"}, ...]}
std::string list_json(const std::vector<Case>& cases);

}  // namespace stepgate
