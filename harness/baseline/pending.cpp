#include "baseline/pending.h"

#include <fmt/format.h>

#include <algorithm>

#include "baseline/baseline_path.h"
#include "core/error.h"
#include "json/stored/baseline_json.h"
#include "system/file.h"

namespace stepgate {
namespace {

constexpr std::string_view pending_folder = "pending";

}  // namespace

std::filesystem::path write_pending(const std::filesystem::path& out_dir, const Baseline& baseline) {
  const auto file = baseline_path(out_dir / pending_folder, name_of(baseline));
  write_file_atomically(file, to_text(baseline));
  return file;
}

std::vector<std::filesystem::path> pending_files(const std::filesystem::path& out_dir) {
  std::vector<std::filesystem::path> files;
  const auto folder = out_dir / pending_folder;
  if (!std::filesystem::is_directory(folder)) return files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

void reject_pending(const std::vector<std::filesystem::path>& files) {
  for (const auto& file : files) {
    const auto whole = std::filesystem::absolute(file).lexically_normal();
    const bool below = std::find(whole.begin(), whole.end(), std::filesystem::path(pending_folder)) != whole.end();
    if (below && std::filesystem::is_regular_file(whole)) continue;
    throw Error(ErrorKind::usage, fmt::format("{} is not a pending baseline", file.string()),
                "name files below the 'pending' folder of a result folder");
  }
  for (const auto& file : files) std::filesystem::remove(file);
}

}  // namespace stepgate
