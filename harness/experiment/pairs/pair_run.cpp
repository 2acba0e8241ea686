#include "experiment/pairs/pair_run.h"

#include <fmt/format.h>

#include "core/error.h"
#include "experiment/plan/selection.h"

namespace stepgate {

Project read_base_project(const Project& head, const PairOptions& options) {
  const std::filesystem::path& build = options.base_build;
  if (!std::filesystem::exists(build / "stepgate-manifest.json")) {
    throw Error(
        ErrorKind::usage, fmt::format("--base-build: no stepgate-manifest.json in {}", build.string()),
        "build the base first and name its build folder; in a checkout of stepgate, ci/perf --against REF does both");
  }
  Project base = read_project({.build = build});
  refuse_debug_build(base.manifest);
  if (base.manifest.build_type == head.manifest.build_type) return base;
  throw Error(ErrorKind::usage,
              fmt::format("--base-build: {} is a {} build, {} a {} build", base.manifest.path.string(),
                          base.manifest.build_type, head.manifest.path.string(), head.manifest.build_type),
              "build both sides with the same flags");
}

Notice new_case_notice(const ManifestCase& entry) {
  return {Severity::warning, fmt::format("{} is only in the head build: new, not compared", entry.name)};
}

}  // namespace stepgate
