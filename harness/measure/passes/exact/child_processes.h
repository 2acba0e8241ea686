// The child processes of a process, also those that ended and that it did not wait for.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace stepgate {

/// Whether this process has any. One system call.
bool has_own_children();

class ChildProcesses {
 public:
  /// `process`: its folder in /proc, beside those of all others. `has_any` is asked first.
  explicit ChildProcesses(std::filesystem::path process, bool (*has_any)() = has_own_children)
      : process_(std::move(process)), has_any_(has_any) {}

  /// Their numbers as they are now; absent where /proc does not tell. Looks through all processes, which takes
  /// milliseconds, only where there are children and something was started on this machine since.
  std::optional<std::vector<std::string>> ids();

 private:
  std::string parent_of(const std::string& process);

  std::filesystem::path process_;
  bool (*has_any_)();
  std::string last_started_;
  std::vector<std::string> found_;
};

}  // namespace stepgate
