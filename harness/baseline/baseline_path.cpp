#include "baseline/baseline_path.h"

#include "core/text/path_text.h"

namespace stepgate {
std::filesystem::path baseline_path(const std::filesystem::path& root, const BaselineName& name) {
  const bool portable = name.scope == Scope::portable;
  const std::string folder = portable ? std::string(portable_class) : name.runner_class;
  // A case name holds no dot, so no two cases share a file.
  return root / path_text(PathText::runner_class, folder) /
         (path_text(PathText::case_name, name.case_name) + (name.scope == Scope::device ? ".exact.json" : ".json"));
}

BaselineName name_of(const Baseline& baseline) { return {baseline.scope, baseline.runner_class, baseline.case_name}; }

std::vector<BaselineName> baseline_names(const std::string& runner_class, const std::string& case_name) {
  return {{Scope::portable, std::string(portable_class), case_name},
          {Scope::runner, runner_class, case_name},
          {Scope::device, runner_class, case_name}};
}

}  // namespace stepgate
