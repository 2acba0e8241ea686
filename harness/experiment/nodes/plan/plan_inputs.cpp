#include "experiment/nodes/plan/plan_inputs.h"

#include "core/version.h"
#include "launch/staged_builds.h"
#include "system/files/file.h"

namespace stepgate {

namespace fs = std::filesystem;

ShardPlan plan_of_project(const Project& project) {
  ShardPlan plan;
  plan.version = version;
  plan.launcher_digest = own_program_digest();
  plan.head_build = project.manifest.path.parent_path().string();
  plan.head_manifest = project.manifest.path.string();
  plan.manifest_digest = text_file_digest(project.manifest.path);
  plan.baseline_root = fs::absolute(project.baseline_root).lexically_normal().string();
  plan.data_dir = project.data_dir.empty() ? "" : fs::absolute(project.data_dir).lexically_normal().string();
  plan.runner_class = project.runner_class;
  plan.require_gpu = project.require_gpu;
  return plan;
}

void copy_plan_inputs(const Project& project, const std::vector<ManifestCase>& cases, const fs::path& folder) {
  write_file_atomically(folder / "head-manifest.json", read_text_file(project.manifest.path));
  fs::remove_all(folder / "policies");
  fs::create_directories(folder / "policies");
  for (const ManifestCase& entry : cases) {
    const fs::path policy = project.policy_root / entry.suite / "policy.json";
    if (fs::exists(policy)) copy_file_atomically(policy, folder / "policies" / entry.suite / "policy.json");
  }
}

}  // namespace stepgate
