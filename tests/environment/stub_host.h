// A machine in memory that follows the rules of the kernel.
#pragma once

#include <signal.h>

#include <cerrno>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "environment/host_files/host_files.h"
#include "environment/stub_cgroups.h"
#include "environment/stub_clocks.h"
#include "environment/stub_tree.h"

namespace stepgate {

/// Starts empty or as a copy of a folder, such as a FakeRoot with a golden tree in it. The rules of clocks and cgroups
/// always hold; a test asks for further refusals. Every attempt to change something is recorded, refused or not.
class StubHost final : public HostFiles {
 public:
  enum class Step { write, make_folder, remove_folder, signal };
  struct Write {
    Step step = Step::write;
    std::string path;  ///< of a signal: "/proc/<pid>"
    std::string text;  ///< of a signal: its number; of a folder: ""
    int error = 0;     ///< errno as the caller got it
  };
  /// Called before each attempt; `number` counts from 1. An errno refuses it, 0 lets it happen. May throw, like a
  /// process that dies just before its n-th write: that attempt counts and is not recorded.
  using Hook = std::function<int(std::size_t number, const Write& attempt)>;

  StubHost() = default;
  explicit StubHost(const std::filesystem::path& folder) { tree_.put_all(folder); }
  StubHost(const StubHost&) = delete;
  StubHost& operator=(const StubHost&) = delete;

  /// Changes by the test itself: without rules, not recorded.
  void put(const std::string& path, const std::string& text) { tree_.put(path, text); }
  void erase(const std::string& path) { tree_.erase(path); }

  /// Opening for writing fails (EACCES, EPERM, EROFS), of this path and of everything below it.
  void refuse_opening(const std::string& path, int error) { refused_openings_[path] = error; }
  /// It opens, and the write fails (EIO, EINVAL, EBUSY). Of "/proc/<pid>": signals fail.
  void refuse_writing(const std::string& path, int error) { refused_writes_[path] = error; }
  /// Writing reports success and changes nothing.
  void ignore_writes(const std::string& path) { ignored_.insert(path); }
  /// Partitions read back as "isolated invalid (reason)".
  void invalidate_partitions(std::string reason) { cgroups_.invalidate_partitions(std::move(reason)); }

  void before_each_write(Hook hook) { hook_ = std::move(hook); }
  /// The n-th attempt from the start, counted from 1, fails; replaces a hook.
  void refuse_write(std::size_t number, int error) {
    hook_ = [number, error](std::size_t now, const Write&) { return now == number ? error : 0; };
  }

  /// All attempts in their order, those of folders and signals among them.
  const std::vector<Write>& writes() const { return writes_; }

  std::optional<std::string> read(const std::string& path) const override {
    const auto shown = clocks_.reading(path);
    return shown ? shown : tree_.read(path);
  }
  std::vector<std::string> names_in(const std::string& folder) const override { return tree_.names_in(folder); }
  int write_refusal(const std::string& path) const override {
    if (tree_.has_folder(path)) return EISDIR;
    if (!tree_.has(path)) return ENOENT;
    return opening_error(path);
  }

  int write(const std::string& path, const std::string& text) override {
    return attempt({Step::write, path, text}, [&] {
      if (const int error = write_refusal(path)) return error;
      if (const auto refused = refused_writes_.find(path); refused != refused_writes_.end()) return refused->second;
      if (ignored_.contains(path)) return 0;
      if (const auto error = clocks_.write(path, text)) return *error;
      if (const auto error = cgroups_.write(path, text)) return *error;
      tree_.put(path, text);
      return 0;
    });
  }
  int make_folder(const std::string& path) override {
    return attempt({Step::make_folder, path, ""}, [&] {
      const std::string parent = StubTree::parent_of(path);
      if (tree_.has_folder(path) || tree_.has(path)) return EEXIST;
      if (!tree_.has_folder(parent)) return ENOENT;
      if (const int error = opening_error(path)) return error;
      if (cgroups_.is_group(parent)) return cgroups_.make(path);
      tree_.put_folder(path);
      return 0;
    });
  }
  int remove_folder(const std::string& path) override {
    return attempt({Step::remove_folder, path, ""}, [&] {
      if (!tree_.has_folder(path)) return ENOENT;
      if (const int error = opening_error(path)) return error;
      if (cgroups_.is_group(path)) return cgroups_.remove(path);
      if (!tree_.names_in(path).empty()) return ENOTEMPTY;
      tree_.erase(path);
      return 0;
    });
  }
  /// The process is its /proc/<pid>/stat, whose state only SIGSTOP and SIGCONT change.
  int send_signal(int pid, int number) override {
    const std::string folder = "/proc/" + std::to_string(pid);
    return attempt({Step::signal, folder, std::to_string(number)}, [&] {
      const auto stat = tree_.read(folder + "/stat");
      if (!stat) return ESRCH;
      if (const auto refused = refused_writes_.find(folder); refused != refused_writes_.end()) return refused->second;
      if (number == SIGSTOP || number == SIGCONT) {
        std::string moved = *stat;
        moved.at(moved.rfind(')') + 2) = number == SIGSTOP ? 'T' : 'S';
        tree_.put(folder + "/stat", moved);
      }
      return 0;
    });
  }

 private:
  template <typename Change>
  int attempt(Write write, const Change& change) {
    ++attempts_;
    write.error = hook_ ? hook_(attempts_, write) : 0;
    if (write.error == 0) write.error = change();
    writes_.push_back(write);
    return write.error;
  }
  int opening_error(const std::string& path) const {
    for (const auto& [refused, error] : refused_openings_) {
      if (path == refused || path.starts_with(refused + "/")) return error;
    }
    return 0;
  }

  StubTree tree_;
  StubClocks clocks_{tree_};
  StubCgroups cgroups_{tree_};
  std::map<std::string, int> refused_openings_;
  std::map<std::string, int> refused_writes_;
  std::set<std::string> ignored_;
  Hook hook_;
  std::size_t attempts_ = 0;
  std::vector<Write> writes_;
};

}  // namespace stepgate
