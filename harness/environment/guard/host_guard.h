// Quiets the machine for one run and restores it at the end.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/host/knob.h"
#include "environment/guard/journal_file.h"
#include "environment/guard/recovery.h"
#include "environment/guard/watchdog.h"
#include "environment/knobs/host_change.h"
#include "environment/knobs/knob_plan.h"
#include "environment/knobs/knob_summary.h"
#include "system/descriptor.h"
#include "system/files/file_lock.h"

namespace stepgate {

struct GuardRequest {
  Host host;
  std::filesystem::path state_folder;
  std::string command;            ///< written into the journal
  std::filesystem::path program;  ///< program of the watchdog, the launcher's own; "" in tests with a model of the host
  std::vector<std::string> only;  ///< names of knobs; empty: all that the plan has
  LockWait wait = {};             ///< for the guard of another run; its limit is the guard's own
};

/// Lives as long as the host is to be quiet. release(), the destructor, the watchdog or the next recovery restores
/// everything that it changed, whichever comes first.
class HostGuard {
 public:
  /// Restores what an earlier run left, asks `planner` (only then: a value that a dead run left is not an original),
  /// writes the journal, starts the watchdog, applies the plan in its order and reads every knob back. A knob that
  /// cannot be set is reported, never an error. Without lock, journal or watchdog nothing is touched and every report
  /// says why. Throws Interruption where a signal came before the lock.
  static std::unique_ptr<HostGuard> engage(const GuardRequest& request, const std::function<KnobPlan()>& planner);

  HostGuard(const HostGuard&) = delete;
  HostGuard& operator=(const HostGuard&) = delete;
  ~HostGuard();

  const std::vector<KnobReport>& reports() const { return reports_; }
  /// False if lock, journal or watchdog is missing, so that nothing was touched.
  bool is_engaged() const { return is_engaged_; }
  /// The cgroup that measured processes enter, "" for none.
  std::string partition() const;
  /// What an earlier run had left behind; `found` is false if there was nothing.
  const Recovery& recovered() const { return recovered_; }

  /// One sentence for each setting that somebody else changed meanwhile.
  std::vector<std::string> overwritten() const;

  /// Restores everything and ends the watchdog. A second call has no effect.
  Recovery release();

 private:
  explicit HostGuard(const GuardRequest& request) : host_(request.host), state_folder_(request.state_folder) {}
  void recover_first(const GuardRequest& request);
  void announce(const GuardRequest& request, const std::vector<KnobChange>& changes);
  void apply_all(const std::vector<KnobChange>& changes, const std::vector<std::string>& only);
  std::string remedy_of(const KnobReport& report) const;
  void hold_open_all();
  void refuse_all(const std::vector<KnobChange>& changes, const std::string& why, const std::string& remedy);

  Host host_;
  std::filesystem::path state_folder_;
  Descriptor lock_;
  std::vector<Descriptor> held_;  ///< settings that last as long as a file is open
  std::optional<JournalFile> journal_;
  std::optional<Watchdog> watchdog_;
  std::vector<AppliedChange> applied_;
  std::vector<KnobReport> reports_;
  Recovery recovered_;
  bool is_engaged_ = true;
};

}  // namespace stepgate
