// The folder of one result, <out>/<case>/<kind>, from the start of a run to its end:
//   verdict.json           the run that began last; without an outcome until it ends
//   previous-verdict.json  the run before: shown, and never counted
// Each is replaced by one rename, so a run that is killed at any moment leaves no older verdict that counts.
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "core/verdict/result_kind.h"
#include "experiment/plan/caller.h"
#include "experiment/plan/project.h"

namespace stepgate {

/// The halves of the gate, and pairs of two builds.
inline constexpr std::array<ResultKind, 4> result_kinds = {
    {{.half = TierChoice::exact}, {.half = TierChoice::timed}, whole_gate, result_of_pairs}};

struct ResultName {
  std::string case_name;
  ResultKind kind = {};  ///< one of result_kinds
};

std::filesystem::path folder_of(const Project& project, const ResultName& name);

/// The positions of the results of each case, the cases in the order of their first result. Results of one case are
/// begun and written one after the other, and those of different cases at the same time.
std::vector<std::vector<std::size_t>> positions_by_case(const std::vector<ResultName>& names);

/// The whole comparison of two builds: <out>/ab.
std::filesystem::path comparison_folder(const Project& project);

/// The verdict in `folder` no longer counts. It becomes the previous one where it has an outcome.
void set_verdict_aside(const Caller& caller, const std::filesystem::path& folder);

}  // namespace stepgate
