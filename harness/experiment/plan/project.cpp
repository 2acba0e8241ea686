#include "experiment/plan/project.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "core/error.h"
#include "core/text/path_text.h"
#include "experiment/plan/build_folder.h"
#include "experiment/plan/calibration_file.h"
#include "experiment/plan/emulated_run.h"
#include "experiment/plan/selection.h"
#include "json/stored/manifest_json.h"
#include "json/stored/policy_json.h"
#include "judge/verdict/policy_check.h"
#include "system/files/file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// Baselines of every machine lie in the folder of that name.
void refuse_portable_class(const std::string& runner_class) {
  if (runner_class != name_of(Scope::portable)) return;
  throw Error(ErrorKind::usage, "the runner class 'portable' is the name of the baselines that hold on every machine",
              "name the kind of this machine: --runner-class NAME, or STEPGATE_RUNNER_CLASS");
}

Project project_of(const ProjectOptions& options, Manifest manifest) {
  refuse_portable_class(options.runner_class);
  Project project;
  project.baseline_root = options.baseline_root.empty() ? manifest.baseline_root : options.baseline_root;
  project.policy_root = options.policy_root.empty() ? manifest.policy_root : options.policy_root;
  project.data_dir = options.data_dir;
  project.runner_class = path_text(PathText::runner_class, options.runner_class);
  if (options.device) project.runner_class = runner_class_of(*options.device);
  project.out = options.out.empty() ? default_out(manifest.path, project.runner_class) : options.out;
  project.manifest = std::move(manifest);
  project.session_gap_s = options.session_gap_s;
  project.require_baseline = options.require_baseline;
  project.require_gpu = options.require_gpu;
  project.may_skip = options.may_skip;
  project.start = now();
  return project;
}

/// The commit of the tree that was built, also if its policies or baselines lie outside of it.
std::string commit_of_tree(const Project& project) {
  const Manifest& manifest = project.manifest;
  const fs::path build = manifest.path.parent_path();
  for (const fs::path& folder : {manifest.policy_root, manifest.baseline_root, build}) {
    if (std::string commit = commit_of(folder, {build, project.out, project.baseline_root}); !commit.empty())
      return commit;
  }
  return "";
}

fs::path policy_file(const Project& project, const std::string& suite) {
  return project.policy_root / path_text(PathText::suite, suite) / "policy.json";
}

/// A pattern of case names in a policy.
struct PolicyPattern {
  std::string key;
  std::string pattern;
  std::string_view effect;  ///< what it does if it matches no case
};

void add_limits(std::string_view key, const std::vector<CaseLimit>& limits, std::vector<PolicyPattern>& patterns) {
  for (std::size_t i = 0; i < limits.size(); ++i)
    patterns.push_back({fmt::format("{}[{}]", key, i), limits[i].cases, "limits nothing"});
}

std::vector<PolicyPattern> patterns_of(const Policy& policy) {
  std::vector<PolicyPattern> patterns;
  for (std::size_t i = 0; i < policy.varying.size(); ++i)
    patterns.push_back({fmt::format("varying[{}]", i), policy.varying[i].cases, "declares nothing"});
  for (const auto& [metric, cases] : policy.budget_cases) {
    for (const std::string& pattern : cases) patterns.push_back({"budget_cases." + metric, pattern, "limits nothing"});
  }
  add_limits("floors", policy.floors, patterns);
  add_limits("case_budgets", policy.case_budgets, patterns);
  add_limits("targets", policy.targets, patterns);
  for (const auto& [rate, cases] : policy.gating_rates) {
    for (const std::string& pattern : cases) patterns.push_back({"gating_rates." + rate, pattern, "lets nothing gate"});
  }
  return patterns;
}

}  // namespace

Project read_project(const ProjectOptions& options) {
  const auto path = find_manifest(options.build);
  if (!path) {
    throw Error(
        ErrorKind::usage,
        fmt::format("no stepgate-manifest.json in {}", options.build.empty() ? looked_in : options.build.string()),
        "configure and build first, or name the build folder: --build DIR; a new project: stepgate init DIR");
  }
  Project project = project_of(options, manifest_from_text(read_text_file(*path), *path));
  refuse_unknown(project.manifest, project.may_skip);
  project.commit = commit_of_tree(project);
  if (!options.calibration.empty()) project.calibration = read_calibration(options.calibration, project.runner_class);
  if (options.device) project.emulated = emulated_gpu_of(project.manifest, *options.device);
  return project;
}

Project project_at_hand(const ProjectOptions& options) {
  if (!options.build.empty() || find_manifest(options.build)) return read_project(options);
  return project_of(options, {});
}

void refuse_debug_build(const Manifest& manifest) {
  if (manifest.build_type == "Release" || manifest.build_type == "RelWithDebInfo") return;
  throw Error(
      ErrorKind::usage,
      fmt::format("{}: build type is '{}'; its times mean nothing", manifest.path.string(), manifest.build_type),
      "configure and build again with -DCMAKE_BUILD_TYPE=Release");
}

Policy read_policy(const Project& project, const std::string& suite) {
  const fs::path path = policy_file(project, suite);
  if (!project.policy_root.empty() && !fs::is_directory(project.policy_root)) {
    throw Error(ErrorKind::usage, fmt::format("there is no folder of policies {}", project.policy_root.string()),
                "correct POLICY_ROOT in the call of stepgate_add_cases, or name the folder: --policy-dir DIR");
  }
  Policy policy;
  if (!project.policy_root.empty() && fs::exists(path)) policy = policy_from_text(read_text_file(path), path.string());
  if (!policy.waivers.empty()) check_waiver_ends(policy, project.start.day, path.string());
  if (project.session_gap_s) policy.session_gap_s = *project.session_gap_s;
  return policy;
}

std::string policy_digest(const Project& project, const std::string& suite) {
  const fs::path path = policy_file(project, suite);
  return !project.policy_root.empty() && fs::exists(path) ? text_file_digest(path) : "";
}

std::vector<Notice> missing_policies(const Project& project, const std::vector<ManifestCase>& cases) {
  std::vector<Notice> notices;
  std::set<std::string> suites;
  for (const ManifestCase& entry : cases) {
    if (!suites.insert(entry.suite).second || fs::exists(policy_file(project, entry.suite))) continue;
    notices.push_back({Severity::warning,
                       fmt::format("suite {} has no {}: the default limits hold", entry.suite,
                                   policy_file(project, entry.suite).string()),
                       "write that file, or correct POLICY_ROOT in the call of stepgate_add_cases"});
  }
  return notices;
}

std::vector<Notice> unmatched_patterns(const Project& project, const std::vector<ManifestCase>& cases) {
  std::vector<Notice> notices;
  std::set<std::string> suites;
  for (const ManifestCase& entry : cases) {
    if (!suites.insert(entry.suite).second) continue;
    std::vector<std::string_view> names;
    for (const ManifestCase& each : project.manifest.cases) {
      if (each.suite == entry.suite) names.push_back(each.name);
    }
    for (const PolicyPattern& one : patterns_of(read_policy(project, entry.suite))) {
      const auto matches = [&](std::string_view name) { return matches_pattern(one.pattern, name); };
      if (std::any_of(names.begin(), names.end(), matches)) continue;
      notices.push_back(
          {Severity::warning,
           fmt::format("{}: {}: \"{}\" matches no case of the suite {}, so it {}",
                       policy_file(project, entry.suite).string(), one.key, one.pattern, entry.suite, one.effect),
           fmt::format("correct the pattern; the suite has {}", fmt::join(names, ", "))});
    }
  }
  return notices;
}

ProgramBuild build_of_case(const Manifest& manifest, const ManifestCase& entry) {
  return program_build(entry.program, manifest.path.parent_path());
}

void refuse_unbuilt(const Manifest& manifest, const std::vector<ManifestCase>& cases) {
  std::set<std::string> missing;
  for (const ManifestCase& entry : cases) {
    if (!fs::exists(entry.program)) missing.insert(path_from_here(entry.program).string());
  }
  if (missing.empty()) return;
  throw Error(ErrorKind::measure, fmt::format("not built: {}", fmt::join(missing, ", ")),
              fmt::format("build it: cmake --build {} --target stepgate_cases",
                          path_from_here(manifest.path.parent_path()).string()));
}

}  // namespace stepgate
