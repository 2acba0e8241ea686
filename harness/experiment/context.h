// What is the same for every case of one command: manifest, folders, commit, time. Read once, before anything runs.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "cli/options.h"
#include "core/stored/manifest.h"
#include "core/stored/policy.h"
#include "environment/gpu/gpu_driver.h"
#include "experiment/provenance.h"
#include "launch/measure_case.h"

namespace stepgate {

struct Context {
  Options options;
  Manifest manifest;
  std::filesystem::path baseline_root;
  std::filesystem::path policy_root;
  std::string commit;
  Instant start;
  std::optional<Gpu> gpu = {};  ///< the one that measured processes use, where that is known (quiet_host.h)
  LaunchGuard guard;            ///< what measured processes are to be guarded by (quiet_host.h)
};

/// Finds stepgate-manifest.json (--build, else the current folder, else build/release below it) and fills the defaults.
/// Throws Error(usage) where no manifest is found, saying where it was looked for.
Context read_context(const Options& options);

/// The manifest that read_context() would find; an empty one where there is none and --build names no folder.
Manifest manifest_if_at_hand(const Options& options);

/// Refuses what cannot give a meaningful time: Error(usage) for a build type other than Release or RelWithDebInfo.
void refuse_debug_build(const Manifest& manifest);

/// The suite's policy, or the defaults where it has no file. --session-gap overrides it.
/// Throws Error(usage) for a malformed file.
Policy read_policy(const Context& context, const std::string& suite);

}  // namespace stepgate
