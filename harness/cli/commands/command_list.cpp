#include "cli/commands/command_list.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "baseline/baseline_path.h"
#include "cli/options/groups/cases.h"
#include "cli/options/groups/places.h"
#include "cli/output.h"
#include "experiment/plan/project.h"
#include "experiment/plan/selection.h"

namespace stepgate {
namespace {

/// Runner classes (folders below the baseline root) that hold a file for the case.
std::vector<std::string> classes_with_baseline(const Project& project, const std::string& case_name) {
  std::vector<std::string> classes;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(project.baseline_root, none)) {
    const std::string name = entry.path().filename().string();
    const auto holds = [&](const char* ending) { return std::filesystem::exists(entry.path() / (case_name + ending)); };
    if (entry.is_directory() && (holds(".json") || holds(".exact.json"))) classes.push_back(name);
  }
  std::sort(classes.begin(), classes.end());
  return classes;
}

/// What a gate judges of the case.
const char* gated_tiers(const ManifestCase& entry) {
  if (!entry.benchmark.empty()) return "timed";
  return entry.gates_times ? "both" : "exact";
}

}  // namespace

OptionRows rows_of(ListCommand& o) {
  return {build_row(o.build), baseline_dir_row(o.baseline_root), filter_row(o.filters)};
}

int command_list(const ListCommand& o) {
  const Project project = read_project({.build = o.build, .baseline_root = o.baseline_root});
  const auto cases = select_cases(project.manifest, {.names = o.arguments, .globs = o.filters});
  std::size_t width = 4;
  for (const ManifestCase& entry : cases) width = std::max(width, entry.name.size());
  print_line(stdout, "{:<{}}  {:<6}  {:<7}  {:<5}  baselines", "case", width, "device", "limit", "gates");
  for (const ManifestCase& entry : cases) {
    const auto classes = classes_with_baseline(project, entry.name);
    print_line(stdout, "{:<{}}  {:<6}  {:>5} s  {:<5}  {}", entry.name, width, name_of(entry.device), entry.timeout_s,
               gated_tiers(entry), classes.empty() ? "none" : fmt::format("{}", fmt::join(classes, ", ")));
  }
  return 0;
}

}  // namespace stepgate
