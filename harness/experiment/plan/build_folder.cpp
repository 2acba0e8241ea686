#include "experiment/plan/build_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/emulated_gpu_name.h"
#include "core/error.h"
#include "json/stored/cmake_presets_json.h"
#include "json/stored/manifest_json.h"
#include "system/files/file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

constexpr const char* manifest_name = "stepgate-manifest.json";

fs::path absolute_path(const fs::path& path) {
  const fs::path whole = fs::absolute(path).lexically_normal();
  return whole.has_filename() ? whole : whole.parent_path();
}

std::vector<fs::path> preset_folders(const fs::path& source) {
  std::vector<std::string> documents;
  for (const char* name : {"CMakePresets.json", "CMakeUserPresets.json"}) {
    if (fs::is_regular_file(source / name)) documents.push_back(read_text_file(source / name));
  }
  return preset_binary_folders(documents, source);
}

/// Each manifest once, also where two names lead to one folder.
std::vector<fs::path> manifests_below(const fs::path& source) {
  std::vector<fs::path> folders = {source / "build" / "release", source / "build"};
  for (fs::path& folder : preset_folders(source)) folders.push_back(std::move(folder));
  std::vector<fs::path> found;
  std::error_code unreadable;
  for (const fs::path& folder : folders) {
    const fs::path file = folder / manifest_name;
    if (!fs::exists(file, unreadable)) continue;
    const auto same = [&](const fs::path& other) { return fs::equivalent(file, other, unreadable); };
    if (std::none_of(found.begin(), found.end(), same)) found.push_back(file);
  }
  return found;
}

bool is_debug(const fs::path& manifest) {
  const std::string type = manifest_from_text(read_text_file(manifest), manifest).build_type;
  return type != "Release" && type != "RelWithDebInfo";
}

Error several(const std::vector<fs::path>& manifests) {
  std::string folders;
  for (const fs::path& file : manifests)
    folders += fmt::format("{}{}", folders.empty() ? "" : ", ", path_from_here(file.parent_path()).string());
  return {ErrorKind::usage, fmt::format("there are {} builds here: {}", manifests.size(), folders),
          fmt::format("name one: --build {}", path_from_here(manifests.front().parent_path()).string())};
}

}  // namespace

std::optional<fs::path> find_manifest(const fs::path& build) {
  const fs::path named = absolute_path(build.empty() ? "." : build) / manifest_name;
  std::error_code error;
  if (fs::exists(named, error)) return named;
  if (!build.empty() && error) throw fs::filesystem_error("", named, error);
  // Nobody named the current folder: if this user may not read it, it has no build.
  if (!build.empty() || error) return std::nullopt;
  std::vector<fs::path> found = manifests_below(named.parent_path());
  if (found.size() > 1 && !std::all_of(found.begin(), found.end(), is_debug)) std::erase_if(found, is_debug);
  if (found.size() > 1) throw several(found);
  return found.empty() ? std::nullopt : std::optional(found.front());
}

fs::path default_out(const fs::path& manifest, std::string_view runner_class) {
  std::string name = "stepgate-out";
  if (runner_class.starts_with(emulated_class_prefix)) name += "-" + std::string(runner_class);
  return manifest.empty() ? fs::path(name) : path_from_here(manifest.parent_path() / name);
}

fs::path path_from_here(const fs::path& path) {
  const fs::path whole = absolute_path(path);
  const fs::path inside = whole.lexically_relative(fs::current_path());
  return inside.empty() || *inside.begin() == ".." ? whole : inside;
}

}  // namespace stepgate
