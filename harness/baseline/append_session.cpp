#include "baseline/append_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "core/error.h"
#include "core/record/fact_roles.h"
#include "core/record/fact_table.h"
#include "core/text/commit_text.h"

namespace stepgate {
namespace {

/// A fact that an older baseline lacks is not compared, and the key stays as it is, since it must hold for all
/// sessions.
bool may_lack(const std::string& fact) {
  const FactRow* const row = find_fact(fact);
  return row != nullptr && row->may_lack;
}

void require_same_key(const Baseline& baseline, const Fingerprint& key) {
  // In both directions: a fact that only one side has (e.g. a GPU) is a difference too. A change after which times
  // decide nothing begins a new series of sessions, too: the spread between sessions would hold its effect.
  RunnerKeyChanges changes = runner_key_changes(baseline.key, key);
  std::vector<FingerprintMismatch> all = std::move(changes.mismatches);
  all.insert(all.end(), changes.of_times.begin(), changes.of_times.end());
  std::string differences;
  for (const FingerprintMismatch& fact : all) {
    differences += fmt::format("{}{} was {}, is {}", differences.empty() ? "" : "; ", fact.key, fact.expected,
                               fact.found.empty() ? "(unknown)" : fact.found);
  }
  for (const auto& [name, value] : key) {
    if (baseline.key.contains(name) || may_lack(name)) continue;
    differences += fmt::format("{}{} was (unknown), is {}", differences.empty() ? "" : "; ", name, value);
  }
  if (differences.empty()) return;
  throw Error(ErrorKind::baseline,
              fmt::format("{} ({}): measured under other facts than the stored sessions: {}", baseline.case_name,
                          baseline.runner_class, differences),
              "start anew with 'stepgate baseline accept --replace --reason ...', or give this machine its own "
              "--runner-class");
}

}  // namespace

Baseline append_session(Baseline baseline, const Session& session, const Fingerprint& key) {
  require_same_key(baseline, key);
  for (const Session& stored : baseline.sessions) {
    if (stored.unix_s != session.unix_s || stored.commit != session.commit) continue;
    throw Error(ErrorKind::baseline,
                fmt::format("{} ({}): the session of {} (commit {}) is in the baseline already", baseline.case_name,
                            baseline.runner_class, session.utc, short_commit(session.commit)),
                "leave this file out: a session counted twice would make the limits too narrow");
  }
  auto& sessions = baseline.sessions;
  const auto place = std::upper_bound(sessions.begin(), sessions.end(), session,
                                      [](const Session& a, const Session& b) { return a.unix_s < b.unix_s; });
  sessions.insert(place, session);
  if (sessions.size() > max_sessions) {
    sessions.erase(sessions.begin(), sessions.end() - static_cast<std::ptrdiff_t>(max_sessions));
  }
  return baseline;
}

}  // namespace stepgate
