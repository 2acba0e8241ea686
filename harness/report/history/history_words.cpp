#include "report/history/history_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <vector>

#include "core/record/fingerprint_mismatches.h"
#include "core/stored/history.h"
#include "core/text/commit_text.h"
#include "core/text/excerpt.h"
#include "core/text/number_format.h"

namespace stepgate {

const HistorySessionFacts& first_session(const HistoryReport& report, const HistoryPoint& point) {
  return report.sessions[point.first_session];
}

const HistorySessionFacts& last_session(const HistoryReport& report, const HistoryPoint& point) {
  return report.sessions[point.last_session];
}

std::string commits_text(const HistoryReport& report, const HistoryEpoch& epoch, const HistoryChange& change) {
  const std::string last = short_commit(last_session(report, epoch.points[change.latest]).commit);
  if (change.earliest == 0) return "up to " + last;
  const HistoryPoint& before = epoch.points[change.earliest - 1];
  return fmt::format("after {} up to {}", short_commit(first_session(report, before).commit), last);
}

std::string history_change_text(const HistoryChange& change) {
  return std::isfinite(change.change) ? change_text(change.change) : "from 0";
}

std::string state_text(const HistoryChange& change) {
  switch (change.state) {
    case ChangeState::alert:
      return "alert";
    case ChangeState::acknowledged:
      return "acknowledged: " + change.reason;
    case ChangeState::machine:
      return "the machine: the reference case moved too";
    case ChangeState::waiting:
      return "seen once, waits for the next session";
    case ChangeState::repeated:
      return "close to a change that was reported";
    case ChangeState::noted:
      return change.worse ? "decides no verdict" : "";
  }
  return "";
}

std::string origin_text(const HistoryReport& report, const HistoryEpoch& epoch) {
  const Fingerprint& key = report.keys.at(epoch.key);
  const auto origin = key.find(imported_from_fact);
  return origin == key.end() ? "" : ", imported from " + excerpt(origin->second);
}

std::string key_change_text(const HistoryReport& report, const HistoryEpoch& before, const HistoryEpoch& after) {
  constexpr std::size_t most_facts = 4;
  const auto shown = [](const std::string& value) { return value.empty() ? "(unknown)" : excerpt(value); };
  std::vector<std::string> facts;
  for (const FingerprintMismatch& one : differences(report.keys.at(before.key), report.keys.at(after.key))) {
    if (facts.size() < most_facts)
      facts.push_back(fmt::format("{} {} -> {}", one.key, shown(one.expected), shown(one.found)));
    else if (facts.size() == most_facts)
      facts.emplace_back("...");
  }
  return fmt::format("{}", fmt::join(facts, ", "));
}

}  // namespace stepgate
