#include "baseline/append_session.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "core/record/gpu_setting_facts.h"
#include "core/text/commit_text.h"

namespace stepgate {
namespace {

bool is_gpu_setting(const std::string& fact) {
  return std::find(gpu_setting_facts.begin(), gpu_setting_facts.end(), fact) != gpu_setting_facts.end();
}

void require_same_key(const Baseline& baseline, const Fingerprint& key) {
  // In both directions: a fact that only one side has (e.g. a GPU) is a difference too. Not so a setting of the GPU
  // that an older baseline lacks: it is not compared, and the key stays as it is, since it must hold for all sessions.
  std::string differences;
  for (const FingerprintMismatch& fact : mismatches(baseline.key, key)) {
    differences += fmt::format("{}{} was {}, is {}", differences.empty() ? "" : "; ", fact.key, fact.expected,
                               fact.found.empty() ? "(unknown)" : fact.found);
  }
  for (const auto& [name, value] : key) {
    if (baseline.key.contains(name) || is_gpu_setting(name)) continue;
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
