#include "experiment/swept/swept_case.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "core/error.h"
#include "core/plan.h"
#include "experiment/plan/selection.h"
#include "experiment/swept/listed_params.h"
#include "experiment/swept/sweep_grid.h"
#include "system/nearest_name.h"

namespace stepgate {

ManifestCase case_to_sweep(const Project& project, const std::string& name) {
  ManifestCase entry = case_named(project.manifest, name);
  if (entry.benchmark.empty()) return entry;
  throw Error(ErrorKind::usage,
              fmt::format("{} cannot be swept: it is a plain Google Benchmark program, without parameters", entry.name),
              "sweep a case of a perftest program; stepgate list names them");
}

std::vector<SweptParameter> swept_parameters(const std::vector<std::string>& texts) {
  std::vector<SweptParameter> parameters;
  for (const std::string& text : texts) parameters.push_back(parse_vary(text));
  return parameters;
}

void refuse_undeclared(const ManifestCase& entry, const std::vector<SweptParameter>& parameters,
                       const std::filesystem::path& folder) {
  GivenParameters given{.option = "--vary", .names = {}, .besides = {"threads"}};
  for (const SweptParameter& parameter : parameters) {
    if (parameter.name != request_rate_param) given.names.push_back(parameter.name);  // every case has that one
  }
  refuse_undeclared(entry, given, folder);
}

void refuse_undeclared(const ManifestCase& entry, const GivenParameters& given, const std::filesystem::path& folder) {
  const auto declared = listed_params(entry, folder);
  if (!declared) return;
  std::vector<std::string_view> names;
  for (const auto& [name, value] : *declared) names.push_back(name);
  names.insert(names.end(), given.besides.begin(), given.besides.end());
  for (const std::string& name : given.names) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    const auto near = nearest_name(name, names);
    throw Error(ErrorKind::usage, fmt::format("{} {}: {} does not declare it", given.option, name, entry.name),
                fmt::format("{}it declares: {}; a parameter that the code reads is added to the params of the case",
                            near ? fmt::format("did you mean '{}'? ", *near) : "", fmt::join(names, ", ")));
  }
}

}  // namespace stepgate
