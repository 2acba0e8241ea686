#include "launch/staged_builds.h"

#include <system_error>

#include "core/error.h"
#include "system/file.h"
#include "system/fnv_hash.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// Leaves a copy with the same bytes as it is.
fs::path staged(const fs::path& folder, const fs::path& program, const std::string& name) {
  const fs::path copy = folder / name;
  std::error_code unknown;
  if (!fs::exists(copy, unknown) || file_digest(copy) != file_digest(program)) copy_file_atomically(program, copy);
  return copy;
}

}  // namespace

std::string file_digest(const fs::path& file) {
  FnvHash hash;
  read_file_in_pieces(file, ErrorKind::usage, [&](std::string_view piece) { hash.add(piece); });
  return hex_text(hash);
}

StagedBuilds stage_builds(const fs::path& folder, const fs::path& base_program, const fs::path& head_program) {
  StagedBuilds builds;
  builds.base_digest = file_digest(base_program);
  builds.head_digest = file_digest(head_program);
  const std::string name = base_program.filename().string();
  builds.base = staged(folder / "base", base_program, name);
  builds.head = staged(folder / "head", head_program, name);
  builds.aa_copy = staged(folder / "twin", base_program, name);
  return builds;
}

}  // namespace stepgate
