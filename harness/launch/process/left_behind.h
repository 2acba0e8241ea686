// Processes that a measured process leaves behind, in sessions or process groups of their own.
#pragma once

#include <sys/types.h>

#include <set>
#include <string>
#include <vector>

namespace stepgate {

/// What a measured process left behind, ended.
struct EndedLeftBehind {
  std::vector<std::string> names;  ///< "name (pid)" of those that still ran, each once
  double cpu_s = 0;                ///< CPU time of all of them and of what they had waited for
};

/// While it exists, a process whose parent ended becomes a child of this process (PR_SET_CHILD_SUBREAPER), wherever it
/// hides. Make it before the measured process starts; processes that were children before are left alone. Two of them
/// must not exist at a time: each would take the other's processes for its own.
class LeftBehind {
 public:
  LeftBehind();
  LeftBehind(const LeftBehind&) = delete;
  LeftBehind& operator=(const LeftBehind&) = delete;
  ~LeftBehind();

  /// Kills and reaps all children that were not there before, with their descendants. Call it after the measured
  /// process was reaped. The names are without those of `killed_group`, a process group that the caller has killed
  /// already; 0: none. The CPU time is of all. Gives up after `left_behind_patience_s`: such a process hangs in the
  /// kernel, or makes others faster than they can be ended.
  EndedLeftBehind end_all(pid_t killed_group = 0) const;

 private:
  int was_subreaper_ = 0;
  std::set<pid_t> before_;
};

inline constexpr double left_behind_patience_s = 5;

}  // namespace stepgate
