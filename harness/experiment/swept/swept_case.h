// Which case is swept over which parameters: checked before anything runs.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/stored/manifest.h"
#include "core/study/sweep.h"
#include "experiment/plan/project.h"

namespace stepgate {

/// Throws Error(usage) for an unknown case and for a plain Google Benchmark program, which has no parameters.
ManifestCase case_to_sweep(const Project& project, const std::string& name);

/// The swept parameters from texts such as "batch_size=4,8,16".
std::vector<SweptParameter> swept_parameters(const std::vector<std::string>& texts);

/// Throws Error(usage) for a parameter that the case does not declare. A program ignores a parameter that it does not
/// read: every setting would be the same, and their order chance.
void refuse_undeclared(const ManifestCase& entry, const std::vector<SweptParameter>& parameters,
                       const std::filesystem::path& folder);

/// Parameters that one option gives to a case.
struct GivenParameters {
  std::string_view option;  ///< "--param", for the message
  std::vector<std::string> names;
  std::vector<std::string_view> besides = {};  ///< names that the case need not declare
};
void refuse_undeclared(const ManifestCase& entry, const GivenParameters& given, const std::filesystem::path& folder);

}  // namespace stepgate
