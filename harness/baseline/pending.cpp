#include "baseline/pending.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "baseline/find_baseline.h"
#include "core/error.h"
#include "json/stored/baseline_json.h"
#include "json/text/read_back.h"
#include "system/files/file.h"
#include "system/files/inner_path.h"

namespace stepgate {
namespace {

constexpr std::string_view pending_folder = "pending";

std::filesystem::path whole(const std::filesystem::path& file) {
  return std::filesystem::absolute(file).lexically_normal();
}

/// The folder "pending" that holds the file, the innermost one; absent where none does.
std::optional<std::filesystem::path> pending_folder_of(const std::filesystem::path& file) {
  for (auto folder = whole(file).parent_path(); folder != folder.parent_path(); folder = folder.parent_path()) {
    if (folder.filename() == pending_folder) return folder;
  }
  return std::nullopt;
}

}  // namespace

std::filesystem::path write_pending(const std::filesystem::path& out_dir, const Baseline& baseline) {
  const auto file = baseline_path(out_dir / pending_folder, name_of(baseline));
  refuse_links_below(out_dir, file, ErrorKind::usage);
  write_file_atomically(file, text_that_reads_back(baseline, file.string(), baseline_from_text));
  return file;
}

void remove_pending(const std::filesystem::path& out_dir, const BaselineName& name) {
  const auto file = baseline_path(out_dir / pending_folder, name);
  refuse_links_below(out_dir, file, ErrorKind::usage);
  std::filesystem::remove(file);
}

std::vector<std::filesystem::path> pending_files(const std::filesystem::path& out_dir) {
  std::vector<std::filesystem::path> files;
  const auto folder = out_dir / pending_folder;
  refuse_links_below(out_dir, folder, ErrorKind::usage);
  if (!std::filesystem::is_directory(folder)) return files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    refuse_links_below(entry.path().parent_path(), entry.path(), ErrorKind::usage);
    if (entry.is_regular_file() && entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

Baseline read_pending_file(const std::filesystem::path& file) {
  if (const auto folder = pending_folder_of(file))
    refuse_links_below(folder->parent_path(), whole(file), ErrorKind::usage);
  return read_baseline(file);
}

void reject_pending(const std::vector<std::filesystem::path>& files) {
  for (const auto& file : files) {
    const auto folder = pending_folder_of(file);
    if (folder) refuse_links_below(folder->parent_path(), whole(file), ErrorKind::usage);
    if (folder && std::filesystem::is_regular_file(whole(file))) continue;
    throw Error(ErrorKind::usage, fmt::format("{} is not a pending baseline", file.string()),
                "name files below the 'pending' folder of a result folder");
  }
  for (const auto& file : files) std::filesystem::remove(file);
}

}  // namespace stepgate
