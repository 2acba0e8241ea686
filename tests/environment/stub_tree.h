// Files and folders in memory, without any rule: the base of the model of the kernel's files.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace stepgate {

/// Paths are absolute. Content is kept without trailing white space, as HostFiles::read gives it.
class StubTree {
 public:
  void put(const std::string& path, std::string text) {
    text.erase(text.find_last_not_of(" \t\n") + 1);
    files_[path] = std::move(text);
    put_folder(parent_of(path));
  }
  void put_folder(std::string path) {
    for (; !path.empty() && folders_.insert(path).second; path = parent_of(path)) {
    }
  }
  /// The file, or the folder with all below it.
  void erase(const std::string& path) {
    const auto is_below = [&](const std::string& one) { return one == path || one.starts_with(path + "/"); };
    std::erase_if(files_, [&](const auto& file) { return is_below(file.first); });
    std::erase_if(folders_, is_below);
  }
  /// Every file and folder below the folder `root`.
  void put_all(const std::filesystem::path& root) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
      const std::string path = "/" + std::filesystem::relative(entry.path(), root).string();
      if (entry.is_directory()) put_folder(path);
      if (!entry.is_regular_file()) continue;
      std::ifstream file(entry.path());
      put(path, {std::istreambuf_iterator<char>(file), {}});
    }
  }

  std::optional<std::string> read(const std::string& path) const {
    const auto file = files_.find(path);
    return file == files_.end() ? std::nullopt : std::optional(file->second);
  }
  bool has(const std::string& file) const { return files_.contains(file); }
  bool has_folder(const std::string& path) const { return folders_.contains(path); }

  std::vector<std::string> names_in(const std::string& folder) const {
    std::set<std::string> names;
    for (const auto& [path, text] : files_) {
      if (parent_of(path) == folder) names.insert(name_of_file(path));
    }
    for (const std::string& path : folders_) {
      if (parent_of(path) == folder) names.insert(name_of_file(path));
    }
    return {names.begin(), names.end()};
  }
  /// Full paths of all files of this name, sorted.
  std::vector<std::string> files_named(const std::string& name) const {
    std::vector<std::string> paths;
    for (const auto& [path, text] : files_) {
      if (name_of_file(path) == name) paths.push_back(path);
    }
    return paths;
  }

  static std::string parent_of(const std::string& path) { return path.substr(0, path.rfind('/')); }
  static std::string name_of_file(const std::string& path) { return path.substr(path.rfind('/') + 1); }

 private:
  std::map<std::string, std::string> files_;
  std::set<std::string> folders_;
};

}  // namespace stepgate
