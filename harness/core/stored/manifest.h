// Which cases a build guards and which program runs each. CMake writes it to stepgate-manifest.json in the build
// folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/device.h"

namespace stepgate {

struct ManifestCase {
  std::string name;  ///< "<suite>/<workload>/<variant>"
  std::string suite;
  std::filesystem::path program;  ///< absolute after reading; in the file relative to the manifest
  Device device = Device::cpu;
  double timeout_s = 300;
  std::int64_t cpus = 0;  ///< CPUs its timed processes need: loader workers, ranks; 0: as many as threads
  std::int64_t gpus = 0;  ///< GPUs that one process needs, one for each rank; 0 on cpu
  std::string benchmark =
      "";  ///< not "": `program` is a plain Google Benchmark program, and this is the benchmark's name
  /// False (TIERS exact): a gate judges its exact half only, and its times are compared by pairs of two builds.
  bool gates_times = true;
  std::filesystem::path data_root = {};  ///< its training data, absolute after reading; empty: it has none
};

struct Manifest {
  std::filesystem::path path;
  std::string build_type;
  std::filesystem::path policy_root;    ///< holds <suite>/policy.json
  std::filesystem::path baseline_root;  ///< holds <runner-class>/<case>.json
  /// Its sources: the repository that holds the project, as it was when CMake ran. Empty in older manifests.
  std::filesystem::path source_root = {};
  std::vector<ManifestCase> cases;
};

}  // namespace stepgate
