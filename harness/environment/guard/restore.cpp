#include "environment/guard/restore.h"

#include <algorithm>
#include <cerrno>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "environment/knobs/host_knobs.h"

namespace stepgate {
namespace {

/// A cgroup loses its last process when that has been reaped; killed ones are gone within milliseconds.
constexpr double cgroup_patience_s = 2;

std::vector<std::size_t> in_restore_order(const std::vector<JournalEntry>& entries) {
  std::vector<std::size_t> order(entries.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::reverse(order.begin(), order.end());
  std::stable_sort(order.begin(), order.end(), [&](std::size_t left, std::size_t right) {
    return entries[left].change.restore_rank < entries[right].change.restore_rank;
  });
  return order;
}

/// A refused change changed nothing. A value that can be read is checked all the same.
bool was_never_ours(const JournalEntry& entry) {
  const ChangeKind kind = entry.change.kind;
  return entry.refused && kind != ChangeKind::file && kind != ChangeKind::folder && kind != ChangeKind::controller;
}

bool reads_back_nothing(ChangeKind kind) {
  return kind == ChangeKind::gpu_clocks || kind == ChangeKind::gpu_memory_clocks;
}

/// Restores one journal.
class Restoration {
 public:
  Restoration(const Host& host, const Journal& journal, const OnRestored& on_restored)
      : host_(host), entries_(journal.entries), on_restored_(on_restored) {
    for (const JournalEntry& entry : entries_) knobs_.insert(entry.change.knob);
  }

  RestoreOutcome run() {
    std::vector<std::size_t> open = in_restore_order(entries_);
    // Each round restores at least one, or is the last.
    for (bool moved = true; moved && !open.empty();) {
      failures_.clear();
      std::vector<std::size_t> refused;
      for (const std::size_t number : open) {
        if (!settle(number)) refused.push_back(number);
      }
      moved = refused.size() < open.size();
      open = std::move(refused);
    }
    restore_moved_again();
    outcome_.failures = std::move(failures_);
    return std::move(outcome_);
  }

 private:
  /// False: refused; to be tried again.
  bool settle(std::size_t number) {
    const JournalEntry& entry = entries_[number];
    const KnobChange& change = entry.change;
    if (entry.restored || was_never_ours(entry) || change.kind == ChangeKind::file_in_folder) return unchanged();
    const auto found = current_value(host_, change);
    // A stop signal may not have arrived yet. SIGCONT is sent in any case: it cancels a pending stop.
    if (found && change.kind == ChangeKind::paused_process) return write_back(number);
    if (!found && change.kind == ChangeKind::gpu_persistence)
      return write_back(number);  // no answer does not mean gone
    if (!found && !reads_back_nothing(change.kind)) return gone();
    if (found && same_value(change, *found, change.original)) {
      on_restored_(entry.number);
      settled_.push_back(number);
      return unchanged();
    }
    if (found && !is_ours(entry, *found)) {
      outcome_.conflicts.push_back({change, *found});
      return true;
    }
    return write_back(number);
  }

  bool is_ours(const JournalEntry& entry, const std::string& found) const {
    const KnobChange& change = entry.change;
    if (same_value(change, found, change.wanted)) return true;
    if (entry.after && same_value(change, found, *entry.after)) return true;
    return knobs_.contains(mover_of(change.knob));  // no entry has the knob ""
  }

  bool write_back(std::size_t number) {
    const KnobChange& change = entries_[number].change;
    const int error = put_back(host_, change, cgroup_patience_s);
    if (error == ESRCH || (error == ENODEV && host_.gpu != nullptr)) return gone();
    if (error == ENOTSUP && reads_back_nothing(change.kind)) return gone();  // then nobody could lock it either
    if (error == 0 && reads_back_nothing(change.kind)) return restored(number);
    const auto found = current_value(host_, change);
    if (error == 0 && found && same_value(change, *found, change.original)) return restored(number);
    failures_.push_back({change, error});
    return false;
  }

  /// Restoring one setting may move another that was restored before: a governor does that.
  void restore_moved_again() {
    for (const std::size_t number : std::exchange(settled_, {})) {
      const KnobChange& change = entries_[number].change;
      if (mover_of(change.knob).empty()) continue;
      const auto found = current_value(host_, change);
      if (found && !same_value(change, *found, change.original)) static_cast<void>(write_back(number));
    }
  }

  bool restored(std::size_t number) {
    ++outcome_.restored;
    settled_.push_back(number);
    on_restored_(entries_[number].number);
    return true;
  }

  bool unchanged() {
    ++outcome_.unchanged;
    return true;
  }

  bool gone() {
    ++outcome_.gone;
    return true;
  }

  const Host& host_;
  const std::vector<JournalEntry>& entries_;
  const OnRestored& on_restored_;
  std::set<std::string_view> knobs_;  ///< knobs of all entries
  RestoreOutcome outcome_;
  std::vector<RestoreFailure> failures_;
  std::vector<std::size_t> settled_;  ///< had their original value once
};

}  // namespace

RestoreOutcome restore(const Host& host, const Journal& journal, const OnRestored& on_restored) {
  return Restoration(host, journal, on_restored).run();
}

}  // namespace stepgate
