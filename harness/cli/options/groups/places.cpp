#include "cli/options/groups/places.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

}  // namespace

OptionRow build_row(fs::path& build) {
  return {Topic::places,
          "build",
          "DIR",
          "STEPGATE_MANIFEST_DIR",
          "folder with stepgate-manifest.json (default: this folder, build/release, build or that of a CMake preset)",
          path_into(build, "a build folder")};
}

OptionRow head_build_row(fs::path& build) {
  return {Topic::places,
          "head-build",
          "DIR",
          "",
          "the same as --build; it goes with --base-build",
          path_into(build, "a build folder")};
}

OptionRow base_build_row(fs::path& base_build) {
  return {Topic::places,
          "base-build",
          "DIR",
          "STEPGATE_BASE_BUILD",
          "build folder to compare with, e.g. of the merge base",
          path_into(base_build, "a build folder")};
}

OptionRow out_row(fs::path& out) {
  return {Topic::places,
          "out",
          "DIR",
          "STEPGATE_OUT",
          "folder of results (default: stepgate-out in the build folder)",
          path_into(out, "a folder")};
}

OptionRow baseline_dir_row(fs::path& baseline_root) {
  return {Topic::places,
          "baseline-dir",
          "DIR",
          "STEPGATE_BASELINE_DIR",
          "folder of baselines (default: the one in the manifest)",
          path_into(baseline_root, "a folder")};
}

OptionRow policy_dir_row(fs::path& policy_root) {
  return {Topic::places,
          "policy-dir",
          "DIR",
          "",
          "folder of policies (default: the one in the manifest)",
          path_into(policy_root, "a folder")};
}

OptionRow trace_row(fs::path& trace) {
  return {Topic::profile,
          "trace",
          "FILE",
          "",
          "a trace of PyTorch's profiler (.json or .json.gz): of profile, instead of a case, where its time goes; of "
          "doctor what --calibration is made from",
          path_into(trace, "a file")};
}

OptionRow data_row(fs::path& data_dir) {
  return {Topic::places,
          "data",
          "DIR",
          "STEPGATE_DATA_DIR",
          "folder of training data (default: DATA_ROOT of the case)",
          path_into(data_dir, "a folder")};
}

OptionRow runner_class_row(std::string& runner_class) {
  return {Topic::places,
          "runner-class",
          "NAME",
          "STEPGATE_RUNNER_CLASS",
          "name of this kind of machine (default local)",
          text_into(runner_class, "a name, e.g. ci-small")};
}

OptionRows rows_of(MeasuredPlaces& o) {
  return {build_row(o.build), out_row(o.out), policy_dir_row(o.policy_root), data_row(o.data_dir),
          runner_class_row(o.runner_class)};
}

ProjectOptions project_options(const MeasuredPlaces& o) {
  return {.build = o.build,
          .policy_root = o.policy_root,
          .data_dir = o.data_dir,
          .out = o.out,
          .runner_class = o.runner_class};
}

OptionRows rows_of(ComparedPlaces& o) {
  return {build_row(o.measured.build),       base_build_row(o.base_build),
          head_build_row(o.measured.build),  out_row(o.measured.out),
          baseline_dir_row(o.baseline_root), policy_dir_row(o.measured.policy_root),
          data_row(o.measured.data_dir),     runner_class_row(o.measured.runner_class)};
}

ProjectOptions project_options(const ComparedPlaces& o) {
  ProjectOptions project = project_options(o.measured);
  project.baseline_root = o.baseline_root;
  return project;
}

// baseline accept does not need the runner class, but the accept command that a report prints names it.
OptionRows rows_of(StoredPlaces& o) {
  return {build_row(o.build), out_row(o.out), baseline_dir_row(o.baseline_root), runner_class_row(o.runner_class)};
}

ProjectOptions project_options(const StoredPlaces& o) {
  return {.build = o.build, .baseline_root = o.baseline_root, .out = o.out, .runner_class = o.runner_class};
}

}  // namespace stepgate
