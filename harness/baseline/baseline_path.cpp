#include "baseline/baseline_path.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/text/case_name.h"

namespace stepgate {
namespace {

bool is_runner_class(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  });
}

}  // namespace

std::filesystem::path baseline_path(const std::filesystem::path& root, const BaselineName& name) {
  const bool portable = name.scope == Scope::portable;
  const std::string folder = portable ? std::string(portable_class) : name.runner_class;
  if (!is_runner_class(folder)) {
    throw Error(ErrorKind::usage, fmt::format("runner class '{}' is not of the form [a-z0-9_-]+", folder),
                "choose a name for this kind of machine, e.g. --runner-class h200-16c");
  }
  if (!is_case_name(name.case_name)) {
    throw Error(ErrorKind::usage,
                fmt::format("case name '{}' is not of the form [a-z0-9_]+(/[a-z0-9_]+)+", name.case_name),
                "name cases like language/char_lm/tiny; 'stepgate list' shows those of this build");
  }
  // A case name holds no dot, so no two cases share a file.
  return root / folder / (name.case_name + (name.scope == Scope::device ? ".exact.json" : ".json"));
}

BaselineName name_of(const Baseline& baseline) { return {baseline.scope, baseline.runner_class, baseline.case_name}; }

std::vector<BaselineName> baseline_names(const std::string& runner_class, const std::string& case_name) {
  return {{Scope::portable, std::string(portable_class), case_name},
          {Scope::runner, runner_class, case_name},
          {Scope::device, runner_class, case_name}};
}

}  // namespace stepgate
