#include "experiment/own_place.h"

#include <array>

namespace stepgate {
namespace {

namespace fs = std::filesystem;

constexpr std::array library_folders = {"lib", "lib64", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu"};
constexpr const char* written_last = "cmake/stepgate/stepgate-config.cmake";
constexpr const char* harness = "libstepgate_measure.a";

bool is_there(const fs::path& file) {
  std::error_code unreadable;
  return fs::exists(file, unreadable);
}

}  // namespace

OwnPlace own_place(const fs::path& program) {
  const fs::path root = program.parent_path().parent_path();
  if (is_there(root / "CMakeCache.txt")) return {OwnPlaceKind::build_folder, root};
  return {is_there(root / "bundle.txt") ? OwnPlaceKind::bundle : OwnPlaceKind::prefix, root};
}

fs::path missing_in_prefix(const fs::path& prefix) {
  for (const char* folder : library_folders) {
    if (!is_there(prefix / folder / written_last)) continue;
    const fs::path library = prefix / folder / harness;
    return is_there(library) ? fs::path() : library;
  }
  return prefix / library_folders.front() / written_last;
}

}  // namespace stepgate
