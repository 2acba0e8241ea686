// The rules of cgroup v2, beyond those of plain files.
#pragma once

#include <algorithm>
#include <cerrno>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "environment/cpus/cpu_list.h"
#include "environment/stub_tree.h"
#include "system/files/pseudo_file.h"

namespace stepgate {

/// A group has files from the start and can be removed only without processes. A process is in one group. A controller
/// gives the children their files. An invalid partition says so when it is read.
class StubCgroups {
 public:
  explicit StubCgroups(StubTree& tree) : tree_(tree) {}

  /// From now on a partition reads back as "isolated invalid (reason)".
  void invalidate_partitions(std::string reason) { invalid_ = std::move(reason); }

  bool is_group(const std::string& folder) const { return tree_.has(folder + "/cgroup.procs"); }

  int make(const std::string& folder) {
    const std::string parent = StubTree::parent_of(folder);
    const std::string controllers = tree_.read(parent + "/cgroup.subtree_control").value_or("");
    tree_.put(folder + "/cgroup.type", "domain");
    tree_.put(folder + "/cgroup.controllers", controllers);
    tree_.put(folder + "/cgroup.subtree_control", "");
    tree_.put(folder + "/cgroup.procs", "");
    if (has_word(controllers, "cpuset")) put_cpuset_files(folder);
    return 0;
  }

  int remove(const std::string& folder) {
    if (tree_.read(folder + "/cgroup.procs") != "" || !children_of(folder).empty()) return EBUSY;
    tree_.erase(folder);
    return 0;
  }

  /// Writes the file and returns errno; absent if no rule is about it.
  std::optional<int> write(const std::string& path, const std::string& text) {
    const std::string folder = StubTree::parent_of(path);
    const std::string name = StubTree::name_of_file(path);
    if (!is_group(folder)) return std::nullopt;
    if (name == "cgroup.procs") return move_process(path, text);
    if (name == "cgroup.subtree_control") return switch_controller(folder, text);
    if (name == "cpuset.cpus.partition") return write_partition(path, text);
    if (name.starts_with("cpuset.") && !cpu_list_from_text(text)) return EINVAL;
    if (name == "cpuset.cpus") tree_.put(folder + "/cpuset.cpus.effective", text);
    return std::nullopt;
  }

 private:
  static bool has_word(const std::string& text, const std::string& word) {
    const auto words = words_of(text);
    return std::find(words.begin(), words.end(), word) != words.end();
  }
  static std::string without(const std::string& text, const std::string& word) {
    std::string rest;
    for (const std::string_view one : words_of(text)) {
      if (one != word) rest += (rest.empty() ? "" : " ") + std::string(one);
    }
    return rest;
  }
  std::vector<std::string> children_of(const std::string& folder) const {
    std::vector<std::string> children;
    for (const std::string& name : tree_.names_in(folder)) {
      if (is_group(folder + "/" + name)) children.push_back(folder + "/" + name);
    }
    return children;
  }
  /// The group without a type.
  std::string root_of(std::string folder) const {
    while (tree_.has(folder + "/cgroup.type")) folder = StubTree::parent_of(folder);
    return folder;
  }

  void put_cpuset_files(const std::string& folder) {
    tree_.put(folder + "/cpuset.cpus", "");
    tree_.put(folder + "/cpuset.mems", "");
    const auto effective = tree_.read(StubTree::parent_of(folder) + "/cpuset.cpus.effective");
    tree_.put(folder + "/cpuset.cpus.effective", effective.value_or(""));
    tree_.put(folder + "/cpuset.cpus.partition", "member");
    if (tree_.has(root_of(folder) + "/cpuset.cpus.isolated")) tree_.put(folder + "/cpuset.cpus.exclusive", "");
  }
  void erase_cpuset_files(const std::string& folder) {
    for (const std::string& name : tree_.names_in(folder)) {
      if (name.starts_with("cpuset.")) tree_.erase(folder + "/" + name);
    }
  }

  int move_process(const std::string& path, const std::string& pid) {
    if (!integer_from(pid)) return EINVAL;
    for (const std::string& other : tree_.files_named("cgroup.procs")) {
      tree_.put(other, without(*tree_.read(other), pid));
    }
    const std::string there = *tree_.read(path);
    tree_.put(path, there.empty() ? pid : there + " " + pid);
    return 0;
  }

  int switch_controller(const std::string& folder, const std::string& text) {
    if (text.size() < 2 || (text[0] != '+' && text[0] != '-')) return EINVAL;
    const std::string name = text.substr(1);
    if (!has_word(tree_.read(folder + "/cgroup.controllers").value_or(""), name)) return ENOENT;
    const std::string enabled = *tree_.read(folder + "/cgroup.subtree_control");
    const bool on = text[0] == '+';
    if (on == has_word(enabled, name)) return 0;
    const auto children = children_of(folder);
    const bool in_use = std::any_of(children.begin(), children.end(), [&](const std::string& child) {
      return has_word(*tree_.read(child + "/cgroup.subtree_control"), name);
    });
    if (!on && in_use) return EBUSY;
    tree_.put(folder + "/cgroup.subtree_control",
              on ? (enabled.empty() ? name : enabled + " " + name) : without(enabled, name));
    if (name != "cpuset") return 0;
    for (const std::string& child : children) {
      if (on) {
        put_cpuset_files(child);
      } else {
        erase_cpuset_files(child);
      }
    }
    return 0;
  }

  int write_partition(const std::string& path, const std::string& text) {
    if (text != "member" && text != "root" && text != "isolated") return EINVAL;
    std::string reason = invalid_;
    if (tree_.read(StubTree::parent_of(path) + "/cpuset.cpus") == "") reason = "cpuset.cpus is empty";
    tree_.put(path, text == "member" || reason.empty() ? text : text + " invalid (" + reason + ")");
    return 0;
  }

  StubTree& tree_;
  std::string invalid_;
};

}  // namespace stepgate
