// Whether ranks that have not come to a communicator can still come. They said nothing yet, so only the kernel knows of
// them.
#pragma once

#include <chrono>
#include <set>
#include <vector>

#include "emulator/process/process_row.h"

namespace stepgate::emulator {

/// Also of a process that was not waited for yet.
bool has_ended(int pid);

/// Of all processes of the host.
std::vector<ProcessRow> running_processes();

/// The processes that may be other ranks of `own`: its children of the same program; where there are none, the other
/// children of its parent.
std::vector<ProcessRow> relatives_of(int own, const std::vector<ProcessRow>& all);

/// Watches the relatives while ranks are missing.
class NcclRelatives {
 public:
  using Clock = std::chrono::steady_clock;

  explicit NcclRelatives(int own) : own_(own) {}

  /// Whether one of them has ended, and for 2 s those that live and have not come were fewer than `missing`. `come`:
  /// the processes of the ranks that have. Own choice of the 2 s: a program that starts another process in place of
  /// one that ended does so at once.
  bool are_too_few(int missing, const std::set<int>& come);
  /// The same, of one look.
  bool are_too_few(int missing, const std::set<int>& come, const std::vector<ProcessRow>& all, Clock::time_point now);

 private:
  int own_;
  std::set<int> living_;
  bool has_one_ended_ = false;
  Clock::time_point last_look_ = {};
  Clock::time_point few_since_ = Clock::time_point::max();
};

}  // namespace stepgate::emulator
