#include "experiment/studies/new_project.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "core/error.h"
#include "system/descriptor.h"
#include "system/files/file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

std::vector<TemplateFile> files_of(ProjectKind kind) {
  std::vector<TemplateFile> files;
  for (const auto& part : {templates_of_both(), templates_of(kind)})
    files.insert(files.end(), part.begin(), part.end());
  std::sort(files.begin(), files.end(), [](const TemplateFile& a, const TemplateFile& b) { return a.path < b.path; });
  return files;
}

/// A link counts as present, also if its target is missing.
bool is_present(const fs::path& file) {
  std::error_code missing;
  return fs::exists(fs::symlink_status(file, missing));
}

bool has_text(const fs::path& file, std::string_view text) {
  std::error_code missing;
  return fs::is_regular_file(fs::symlink_status(file, missing)) && read_text_file(file) == text;
}

void refuse_other_files(const fs::path& folder, const std::vector<TemplateFile>& files) {
  std::vector<std::string> others;
  for (const TemplateFile& file : files) {
    const fs::path target = folder / file.path;
    if (is_present(target) && !has_text(target, file.text)) others.push_back(target.string());
  }
  if (others.empty()) return;
  throw Error(ErrorKind::usage, fmt::format("init overwrites nothing, and these exist: {}", fmt::join(others, ", ")),
              "name a new folder, e.g. stepgate init gate; in a CMake project, add_subdirectory(gate) then adds it");
}

[[noreturn]] void stop(const fs::path& file, int number) {
  throw Error(ErrorKind::measure, fmt::format("cannot write {}: {}", file.string(), std::strerror(number)),
              "name a folder that can be written: stepgate init DIR");
}

void make_folders(const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) stop(folder, failed.value());
}

/// A folder in which the files are complete before the first of them is in its place. It is removed at the end.
class Staging {
 public:
  explicit Staging(const fs::path& parent) {
    make_folders(parent);
    std::string pattern = (parent / ".stepgate-init-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) stop(parent, errno);
    path_ = pattern;
  }
  ~Staging() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// Takes back what was done, unless it was completed.
class Moves {
 public:
  explicit Moves(fs::path folder) : folder_(std::move(folder)) {}
  ~Moves() {
    std::error_code ignored;
    for (auto made = made_.rbegin(); made != made_.rend(); ++made) fs::remove(*made, ignored);
  }
  Moves(const Moves&) = delete;
  Moves& operator=(const Moves&) = delete;

  /// Never replaces a file, not even one that appeared meanwhile.
  void move(const fs::path& staged, const fs::path& name) {
    fs::path folder = folder_;
    for (const fs::path& part : name.parent_path()) {
      folder /= part;
      if (::mkdir(folder.c_str(), 0777) == 0)
        made_.push_back(folder);
      else if (errno != EEXIST)
        stop(folder, errno);
    }
    const fs::path file = folder_ / name;
    if (uninterrupted([&] { return ::link(staged.c_str(), file.c_str()); }) != 0) stop(file, errno);
    made_.push_back(file);
  }
  void complete() { made_.clear(); }

 private:
  fs::path folder_;
  std::vector<fs::path> made_;
};

/// A folder that does not exist yet appears as a whole.
void write_all_at_once(const fs::path& folder, const std::vector<TemplateFile>& files) {
  const fs::path parent = fs::absolute(folder).lexically_normal().parent_path();
  const Staging staging(parent);
  const fs::path whole = staging.path() / "project";  // made with the permissions of any new folder
  for (const TemplateFile& file : files) write_file_atomically(whole / file.path, file.text);
  if (uninterrupted([&] { return ::rename(whole.c_str(), folder.c_str()); }) != 0) stop(folder, errno);
}

}  // namespace

NewProject write_new_project(const fs::path& folder, ProjectKind kind) {
  const std::vector<TemplateFile> files = files_of(kind);
  if (is_present(folder) && !fs::is_directory(folder)) {
    throw Error(ErrorKind::usage, fmt::format("{} exists and is not a folder", folder.string()),
                "name a new folder: stepgate init DIR");
  }
  refuse_other_files(folder, files);
  NewProject made;
  for (const TemplateFile& file : files) {
    (is_present(folder / file.path) ? made.unchanged : made.written).emplace_back(file.path);
  }
  if (!is_present(folder)) {
    write_all_at_once(folder, files);
    return made;
  }
  const Staging staging(folder);
  for (const TemplateFile& file : files) write_file_atomically(staging.path() / file.path, file.text);
  Moves moves(folder);
  for (const fs::path& name : made.written) moves.move(staging.path() / name, name);
  moves.complete();
  return made;
}

}  // namespace stepgate
