#include "launch/staged_builds.h"

#include <algorithm>
#include <system_error>

#include "system/files/file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// Leaves a copy with the same bytes as it is.
void copy_changed(const fs::path& from, const fs::path& to) {
  std::error_code unknown;
  if (!fs::exists(to, unknown) || file_digest(to) != file_digest(from)) copy_file_atomically(from, to);
}

void remove_others(const fs::path& folder, const std::vector<fs::path>& kept) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    const auto same = [&](const fs::path& library) { return library.filename() == entry.path().filename(); };
    if (std::none_of(kept.begin(), kept.end(), same)) fs::remove_all(entry.path());
  }
}

}  // namespace

ProgramBuild stage_build(const fs::path& folder, const ProgramBuild& build, const std::string& name, bool libraries) {
  ProgramBuild copy{folder / name};
  copy_changed(build.program, copy.program);
  const fs::path beside = library_folder(copy.program);
  if (!libraries && build.libraries.empty()) {
    fs::remove_all(beside);
    return copy;
  }
  fs::create_directories(beside);
  remove_others(beside, build.libraries);
  for (const fs::path& library : build.libraries) {
    copy.libraries.push_back(beside / library.filename());
    copy_changed(library, copy.libraries.back());
  }
  return copy;
}

StagedBuilds stage_builds(const fs::path& folder, const ProgramBuild& base, const ProgramBuild& head) {
  const std::string name = base.program.filename().string();
  const bool libraries = !base.libraries.empty() || !head.libraries.empty();
  const ProgramBuild base_copy = stage_build(folder / "base", base, name, libraries);
  const ProgramBuild head_copy = stage_build(folder / "head", head, name, libraries);
  // A copy of the copy, since the base may be rebuilt meanwhile.
  const ProgramBuild aa_copy = stage_build(folder / aa_copy_folder, base_copy, name, libraries);
  return {.base = base_copy.program,
          .head = head_copy.program,
          .aa_copy = aa_copy.program,
          .base_digest = build_digest(base_copy),
          .head_digest = build_digest(head_copy)};
}

}  // namespace stepgate
