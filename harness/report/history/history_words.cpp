#include "report/history/history_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
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
  const bool unclear = std::any_of(epoch.points.begin() + static_cast<std::ptrdiff_t>(change.earliest),
                                   epoch.points.begin() + static_cast<std::ptrdiff_t>(change.latest) + 1,
                                   [](const HistoryPoint& point) { return point.order_unclear; });
  return fmt::format("after {} up to {}{}", short_commit(first_session(report, before).commit), last,
                     unclear ? " (the order of these commits is not known)" : "");
}

std::string history_change_text(const HistoryChange& change) {
  return std::isfinite(change.change) ? change_text(change.change) : "from 0";
}

namespace {

/// What a reader must know of an alert beside its size.
std::string alert_text(const HistoryChange& change) {
  std::string text;
  if (change.of_earlier_analysis) text += ", found while the series was shorter; nobody acknowledged it";
  if (change.acknowledged_change)
    text += fmt::format(", {} was acknowledged and it has grown since", change_text(*change.acknowledged_change));
  if (change.machine > 0) text += fmt::format("; the machine explains {} of it", change_text(change.machine));
  return text;
}

}  // namespace

std::string state_text(const HistoryChange& change) {
  switch (change.state) {
    case ChangeState::alert:
      return "alert" + alert_text(change);
    case ChangeState::acknowledged:
      return "acknowledged: " + change.reason;
    case ChangeState::machine:
      return "the machine: the reference case moved too";
    case ChangeState::waiting:
      return "not certain yet, waits for more sessions";
    case ChangeState::repeated:
      return "close to a change that was reported";
    case ChangeState::noted:
      return change.worse ? "decides no verdict" : "";
  }
  return "";
}

std::string coverage_text(const HistoryReport& report, const HistorySeries& series) {
  const SeriesCoverage& coverage = series.coverage;
  const std::string facts =
      coverage.facts.empty() ? "" : fmt::format(" ({})", excerpt(fmt::format("{}", fmt::join(coverage.facts, ", "))));
  const std::string enough =
      fmt::format("{} of the {} that a judgement needs", counted(coverage.points, "point"), coverage.needed);
  switch (coverage.why) {
    case NotJudged::no:
      return "";
    case NotJudged::new_series:
      return "a new series: " + enough;
    case NotJudged::short_epoch:
      return fmt::format("its key changed{}: {}", facts, enough);
    case NotJudged::key_varies:
      return fmt::format(
          "its key varies by itself{}, and levels of different keys are not compared: take the fact out of the "
          "environment, or keep it the same",
          facts);
    case NotJudged::not_positive:
      return series.epochs.empty() ? "none of its values is positive" : "its newest value is not positive";
    case NotJudged::no_exact_value:
      return "its processes disagreed at the newest commits, so it has no exact value to compare";
    case NotJudged::stale:
      return fmt::format("stale: the newest {} of its class lack it; the last one with it is {}",
                         counted(coverage.missed, "commit"), short_commit(newest_commit(report, series)));
    case NotJudged::gone:
      return "acknowledged as gone";
  }
  return "";
}

std::string newest_commit(const HistoryReport& report, const HistorySeries& series) {
  std::size_t newest = 0;
  for (const HistoryEpoch& epoch : series.epochs) newest = std::max(newest, epoch.points.back().last_session);
  return series.epochs.empty() ? "" : report.sessions[newest].commit;
}

std::string order_text(const HistoryReport& report) {
  std::size_t commits = 0;
  std::size_t unknown = 0;
  for (std::size_t i = 0; i < report.sessions.size(); ++i) {
    if (i > 0 && report.sessions[i].place == report.sessions[i - 1].place) continue;
    ++commits;
    unknown += report.sessions[i].place_by == PlaceBy::measurement ? 1 : 0;
  }
  if (unknown == 0) return "";
  return fmt::format(
      "the order of {} of {} is not known: they stand where they were measured. Add results in a full checkout "
      "of the repository, or with --sequence N",
      unknown, counted(commits, "commit"));
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
