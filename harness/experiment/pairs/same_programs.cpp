#include "experiment/pairs/same_programs.h"

#include <fmt/format.h>

#include <set>
#include <utility>

#include "core/error.h"
#include "experiment/plan/selection.h"
#include "launch/program_build.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

bool is_one_path(const fs::path& left, const fs::path& right) {
  std::error_code missing;
  return fs::equivalent(left, right, missing);
}

Error one_file(const fs::path& program, const Project& head, const Project& base) {
  return {
      ErrorKind::usage,
      fmt::format("--base-build: {} and {} both run {}, so nothing would be compared",
                  base.manifest.path.parent_path().string(), head.manifest.path.parent_path().string(),
                  program.string()),
      "a build folder that was moved or copied may name the program of the old place: configure and build it again"};
}

}  // namespace

std::vector<Notice> same_programs(const Project& head, const Project& base, const std::vector<ManifestCase>& cases) {
  const bool same_folder = is_one_path(head.manifest.path, base.manifest.path);
  std::set<std::pair<fs::path, fs::path>> seen;
  std::vector<Notice> notices;
  for (const ManifestCase& entry : cases) {
    if (!has_case(base.manifest, entry.name)) continue;
    const ManifestCase base_entry = case_named(base.manifest, entry.name);
    const fs::path& before = base_entry.program;
    if (!seen.emplace(before, entry.program).second) continue;
    const bool one = is_one_path(before, entry.program);
    if (one && !same_folder) throw one_file(entry.program, head, base);
    const bool same = one || build_digest(build_of_case(base.manifest, base_entry)) ==
                                 build_digest(build_of_case(head.manifest, entry));
    if (!same) continue;
    notices.push_back({Severity::note, fmt::format("the base and the head program {} have the same content",
                                                   entry.program.filename().string())});
  }
  return notices;
}

}  // namespace stepgate
