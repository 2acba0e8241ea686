// The machine quietened for one run, and put back at its end.
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

namespace stepgate {

struct GuardRequest {
  Host host;
  std::filesystem::path state_folder;
  std::string command;            ///< for whoever finds the journal
  std::filesystem::path program;  ///< of the watchdog: the launcher's own; "" where a model stands for the host
  std::vector<std::string> only;  ///< names of knobs; empty: all that the plan has
};

/// Alive as long as the host is to be quiet. Everything that it changed is put back by release(), by the destructor, by
/// the watchdog or by the next recovery, whichever comes first.
class HostGuard {
 public:
  /// Recovers what an earlier run left, asks `planner` (after that: what a dead run left is nobody's original), writes
  /// the journal, starts the watchdog, then applies the plan in its order and reads every knob back. What cannot be set
  /// is reported, never an error: without lock, journal or watchdog nothing is touched and every knob says why.
  static std::unique_ptr<HostGuard> engage(const GuardRequest& request, const std::function<KnobPlan()>& planner);

  HostGuard(const HostGuard&) = delete;
  HostGuard& operator=(const HostGuard&) = delete;
  ~HostGuard();

  const std::vector<KnobReport>& reports() const { return reports_; }
  /// False where lock, journal or watchdog could not be had, so that nothing was touched.
  bool is_engaged() const { return is_engaged_; }
  /// The cgroup that measured processes enter, "" where there is none.
  std::string partition() const;
  /// What an earlier run had left behind; `found` false where there was nothing.
  const Recovery& recovered() const { return recovered_; }

  /// One sentence for each knob that no longer reads as it did after it was set.
  std::vector<std::string> overwritten() const;

  /// Puts everything back and ends the watchdog. Again: no effect.
  Recovery release();

 private:
  explicit HostGuard(const GuardRequest& request) : host_(request.host), state_folder_(request.state_folder) {}
  void recover_first();
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
