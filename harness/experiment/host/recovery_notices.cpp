#include "experiment/host/recovery_notices.h"

#include <fmt/format.h>

#include <cstring>

namespace stepgate {

std::vector<Notice> conflict_notices(const Recovery& recovery) {
  std::vector<Notice> notices;
  for (const RestoreConflict& conflict : recovery.outcome.conflicts) {
    notices.push_back(
        {Severity::warning,
         fmt::format("left alone: {} is '{}', which is neither the original '{}' nor '{}', which stepgate wrote",
                     conflict.change.target, conflict.found, conflict.change.original, conflict.change.wanted)});
  }
  if (!notices.empty() && !recovery.conflicts_file.empty()) {
    notices.back().next = fmt::format("set it yourself; kept in {}", recovery.conflicts_file.string());
  }
  return notices;
}

std::vector<Notice> failure_notices(const Recovery& recovery) {
  std::vector<Notice> notices;
  for (const RestoreFailure& failure : recovery.outcome.failures) {
    const std::string why =
        failure.error != 0 ? std::strerror(failure.error) : "the write succeeded, but another value is read back";
    notices.push_back({Severity::warning, fmt::format("{} cannot be set back to '{}': {}", failure.change.target,
                                                      failure.change.original, why)});
  }
  if (recovery.outcome.complete()) return notices;
  if (notices.empty()) notices.push_back({Severity::warning, "not everything could be restored"});
  notices.back().next =
      fmt::format("run sudo stepgate recover; the journal is kept in {}", recovery.state_folder.string());
  return notices;
}

}  // namespace stepgate
