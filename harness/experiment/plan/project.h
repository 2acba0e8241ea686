// Facts that all cases of one experiment share: manifest, folders, commit, time. Read once, before anything runs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/stored/library_calibration.h"
#include "core/stored/manifest.h"
#include "core/stored/policy.h"
#include "experiment/plan/caller.h"
#include "experiment/plan/provenance.h"
#include "launch/emulated_device.h"
#include "launch/program_build.h"

namespace stepgate {

/// The folders of a project. An empty path takes the manifest's own.
struct ProjectOptions {
  std::filesystem::path build = {};  ///< holds stepgate-manifest.json; empty: find_manifest() looks for it
  std::filesystem::path baseline_root = {};
  std::filesystem::path policy_root = {};
  std::filesystem::path data_dir = {};  ///< empty: that of each case
  std::filesystem::path out = {};       ///< empty: default_out()
  std::string runner_class = "local";
  std::optional<double> session_gap_s = {};   ///< overrides that of every policy
  bool require_baseline = false;              ///< a skipped case for the CPU has failed
  bool require_gpu = false;                   ///< every skipped case has failed
  std::vector<std::string> may_skip = {};     ///< but these, which this runner never runs
  std::optional<EmulatedDevice> device = {};  ///< in place of a GPU; it decides the runner class
  std::filesystem::path calibration = {};     ///< of an emulated GPU; empty: none
};

struct Project {
  Manifest manifest;
  std::filesystem::path baseline_root;
  std::filesystem::path policy_root;
  std::filesystem::path data_dir;
  std::filesystem::path out;
  std::string runner_class;
  std::optional<double> session_gap_s;
  bool require_baseline = false;
  bool require_gpu = false;
  std::vector<std::string> may_skip;
  std::string commit;
  Instant start;
  std::optional<EmulatedGpu> emulated = {};  ///< all processes that it measures get this in place of a GPU
  /// What the libraries of a real GPU of its model start; its source is the file.
  std::optional<LibraryCalibration> calibration = {};
};

/// Finds the manifest and fills in the defaults. Throws Error(usage) where there is none, saying where it was looked
/// for, for a runner class that cannot be a folder, where `may_skip` names a case that it does not have, and where the
/// emulated GPU that is asked for is not built, or a calibration is not one for it.
Project read_project(const ProjectOptions& options);

/// Like read_project(); without a manifest or a commit where there is none and no build folder was named.
Project project_at_hand(const ProjectOptions& options);

/// Refuses what cannot give a meaningful time: Error(usage) for a build type other than Release or RelWithDebInfo.
void refuse_debug_build(const Manifest& manifest);

/// The suite's policy, or the defaults where it has no file. Throws Error(usage) for a malformed file, for a waiver
/// that ends more than a year from now, and where the folder of policies is missing.
Policy read_policy(const Project& project, const std::string& suite);

/// The digest of the bytes of the suite's policy file; "" if it has none. Throws Error(usage) if it cannot be read.
std::string policy_digest(const Project& project, const std::string& suite);

/// One warning for each suite of `cases` without a policy file: its limits may be lost to a wrong POLICY_ROOT.
std::vector<Notice> missing_policies(const Project& project, const std::vector<ManifestCase>& cases);

/// One warning for each pattern of case names in the policies of `cases` that matches no case of its suite in the
/// manifest.
std::vector<Notice> unmatched_patterns(const Project& project, const std::vector<ManifestCase>& cases);

/// The program of the case and the libraries of the build folder that it loads.
ProgramBuild build_of_case(const Manifest& manifest, const ManifestCase& entry);

/// Throws Error(measure) that names the programs of `cases` which do not exist, and how to build them.
void refuse_unbuilt(const Manifest& manifest, const std::vector<ManifestCase>& cases);

}  // namespace stepgate
