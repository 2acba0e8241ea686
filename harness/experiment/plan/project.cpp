#include "experiment/plan/project.h"

#include <fmt/format.h>

#include <vector>

#include "core/error.h"
#include "json/stored/manifest_json.h"
#include "json/stored/policy_json.h"
#include "judge/verdict/policy_check.h"
#include "system/file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

std::optional<fs::path> find_manifest(const fs::path& build) {
  const std::vector<fs::path> folders =
      build.empty() ? std::vector<fs::path>{".", "build/release"} : std::vector{build};
  for (const fs::path& folder : folders) {
    const fs::path candidate = fs::absolute(folder) / "stepgate-manifest.json";
    if (fs::exists(candidate)) return candidate.lexically_normal();
  }
  return std::nullopt;
}

Project project_of(const ProjectOptions& options, Manifest manifest) {
  Project project;
  project.baseline_root = options.baseline_root.empty() ? manifest.baseline_root : options.baseline_root;
  project.policy_root = options.policy_root.empty() ? manifest.policy_root : options.policy_root;
  project.manifest = std::move(manifest);
  project.data_dir = options.data_dir;
  project.out = options.out;
  project.runner_class = options.runner_class;
  project.session_gap_s = options.session_gap_s;
  project.require_gpu = options.require_gpu;
  project.start = now();
  return project;
}

}  // namespace

Project read_project(const ProjectOptions& options) {
  const auto path = find_manifest(options.build);
  if (!path) {
    throw Error(ErrorKind::usage,
                fmt::format("no stepgate-manifest.json in {}",
                            options.build.empty() ? "this folder or build/release" : options.build.string()),
                "build first (ci/build), or name the build folder: --build DIR");
  }
  Project project = project_of(options, manifest_from_text(read_text_file(*path), *path));
  project.commit = commit_of(project.policy_root.empty() ? path->parent_path() : project.policy_root);
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
      "configure with -DCMAKE_BUILD_TYPE=Release (cmake --preset release)");
}

Policy read_policy(const Project& project, const std::string& suite) {
  const fs::path path = project.policy_root / suite / "policy.json";
  Policy policy;
  if (!project.policy_root.empty() && fs::exists(path)) policy = policy_from_text(read_text_file(path), path.string());
  if (!policy.waivers.empty()) check_waiver_ends(policy, project.start.day, path.string());
  if (project.session_gap_s) policy.session_gap_s = *project.session_gap_s;
  return policy;
}

}  // namespace stepgate
