#include "experiment/history/project_history.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "baseline/history/history_folder.h"
#include "core/error.h"
#include "core/text/commit_text.h"
#include "core/text/excerpt.h"
#include "core/text/number_format.h"
#include "core/text/reason_text.h"
#include "core/text/utc_time.h"
#include "experiment/history/history_session.h"
#include "experiment/plan/provenance.h"
#include "judge/history/change_states.h"
#include "judge/history/judge_history.h"
#include "system/nearest_name.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_name(const char* kind, const std::string& name, const std::set<std::string>& known) {
  const std::vector<std::string_view> candidates(known.begin(), known.end());
  const auto near = nearest_name(name, candidates);
  throw Error(ErrorKind::usage, fmt::format("the history has no {} '{}'", kind, excerpt(name)),
              near ? fmt::format("did you mean '{}'?", *near) : "all of them: stepgate history show");
}

void refuse_unknown(const HistoryReport& report, const SeriesFilter& filter) {
  std::set<std::string> cases;
  std::set<std::string> metrics;
  for (const HistorySeries& series : report.series) {
    cases.insert(series.name.case_name);
    if (filter.case_name.empty() || filter.case_name == series.name.case_name) metrics.insert(series.name.metric);
  }
  if (!filter.case_name.empty() && !cases.contains(filter.case_name)) refuse_name("case", filter.case_name, cases);
  if (!filter.metric.empty() && !metrics.contains(filter.metric)) refuse_name("metric", filter.metric, metrics);
}

std::int64_t start_of(const std::string& day) {
  if (day.empty()) return 0;
  if (const auto seconds = unix_seconds(day + "T00:00:00Z")) return *seconds;
  throw Error(ErrorKind::usage, fmt::format("--since: '{}' is not a day", excerpt(day)),
              "give a day: --since 2026-11-01");
}

/// Hides an epoch that ended before `since_s`, and counts it. Within an epoch all points stay: levels refer to them.
void keep_since(std::int64_t since_s, HistoryReport& report) {
  if (since_s == 0) return;
  const auto ended = [&](const HistoryEpoch& epoch) {
    return report.sessions[epoch.points.back().last_session].unix_s < since_s;
  };
  for (HistorySeries& series : report.series) {
    for (const HistoryEpoch& epoch : series.epochs) report.hidden.alerting += ended(epoch) && has_alert(epoch);
    const std::size_t hidden = std::erase_if(series.epochs, ended);
    report.hidden.epochs += hidden;
    report.hidden.series += hidden > 0;
  }
  std::erase_if(report.series, [](const HistorySeries& series) { return series.epochs.empty(); });
}

const HistorySeries& series_named(const HistoryReport& report, const std::string& name) {
  std::vector<const HistorySeries*> found;
  std::set<std::string> names;
  for (const HistorySeries& series : report.series) {
    const std::string full = text_of(series.name);
    names.insert(full);
    if (full == name || full == name + "@" + series.name.runner_class) found.push_back(&series);
  }
  if (found.empty()) refuse_name("series", name, names);
  if (found.size() == 1) return *found.front();
  throw Error(ErrorKind::usage, fmt::format("several classes have the series {}", name),
              fmt::format("name one of them, e.g. {}", text_of(found.front()->name)));
}

std::string changes_of(const HistoryReport& report, const HistorySeries& series) {
  std::vector<std::string> texts;
  for (const HistoryEpoch& epoch : series.epochs) {
    for (const HistoryChange& change : epoch.changes) {
      const std::size_t session = epoch.points[change.index].first_session;
      texts.push_back(
          fmt::format("{} ({})", short_commit(report.sessions[session].commit), change_text(change.change)));
    }
  }
  return texts.empty() ? "it has none" : fmt::format("it has: {}", fmt::join(texts, ", "));
}

/// Of "@CLASS": nothing is measured on it any more.
void accept_class(const HistoryReport& report, Acknowledgement& acknowledged) {
  const auto one = std::find_if(report.silent.begin(), report.silent.end(), [&](const SilentClass& silent) {
    return text_of_class(silent.runner_class) == acknowledged.series;
  });
  if (one == report.silent.end()) {
    throw Error(ErrorKind::usage, fmt::format("{} is no class that is stale", excerpt(acknowledged.series)),
                "stepgate history check prints the whole command for each class that is");
  }
  if (!names_commit(acknowledged.commit, one->commit)) {
    throw Error(ErrorKind::usage,
                fmt::format("the last commit of {} is {}, not {}", acknowledged.series, short_commit(one->commit),
                            excerpt(acknowledged.commit)),
                "name that commit: stepgate history check prints the whole command");
  }
  acknowledged.kind = AcknowledgedKind::gone;
}

/// Of a change, a drift, or a series that is stale.
void accept_finding(const HistoryReport& report, Acknowledgement& acknowledged) {
  const HistorySeries& series = series_named(report, acknowledged.series);
  const auto found = finding_at(report, series, acknowledged.commit);
  if (!found) {
    throw Error(
        ErrorKind::usage,
        fmt::format("{} has no change for the worse at commit {}", text_of(series.name), excerpt(acknowledged.commit)),
        "name the commit of a change; " + changes_of(report, series));
  }
  acknowledged.kind = found->kind;
  acknowledged.change = found->change;
  acknowledged.series = text_of(series.name);
}

AddedSession store(const fs::path& folder, const HistorySession& session) {
  AddedSession added{.file = folder / session_path(session), .cases = session.cases.size()};
  for (const HistoryCase& one : session.cases) {
    for (const auto* half : {&one.exact, &one.timed}) added.values += *half ? (*half)->values.size() : 0;
  }
  added.already_there = store_session(folder, session) == Stored::already_there;
  return added;
}

}  // namespace

AddedSession add_to_history(const fs::path& folder, const ResultsToAdd& to_add, const Observer& observer) {
  HistorySession session = history_session_of(to_add.results, observer);
  session.sequence = to_add.sequence;
  return store(folder, session);
}

AddedSession import_to_history(const fs::path& folder, const BenchmarkImport& import, const Observer& observer) {
  return store(folder, imported_session(import, observer));
}

HistoryReport read_history_report(const fs::path& folder, const SeriesFilter& filter) {
  const std::int64_t since_s = start_of(filter.since);
  HistoryReport report = judge_history(read_history(folder));
  refuse_unknown(report, filter);
  std::erase_if(report.series, [&](const HistorySeries& series) {
    const bool wanted = filter.metric.empty() ? series.gates : series.name.metric == filter.metric;
    return !wanted || (!filter.case_name.empty() && series.name.case_name != filter.case_name);
  });
  std::erase_if(report.silent, [&](const SilentClass& one) {
    return std::none_of(report.series.begin(), report.series.end(),
                        [&](const HistorySeries& series) { return series.name.runner_class == one.runner_class; });
  });
  keep_since(since_s, report);
  return report;
}

void need_history(const fs::path& folder) { read_history(folder); }

fs::path acknowledge_change(const fs::path& folder, Acknowledgement acknowledged) {
  if (acknowledged.reason.find_first_not_of(" \t\r\n") == std::string::npos) {
    throw Error(ErrorKind::usage, "an acknowledged change needs a reason",
                "say why the new level is right: --reason \"larger vocabulary, ticket 12\"");
  }
  if (!says_a_reason(acknowledged.reason)) {
    throw Error(ErrorKind::usage, "the reason says nothing: it is only dots, as in the command that was printed",
                "write why in their place: --reason \"larger vocabulary, ticket 12\"");
  }
  const HistoryReport report = judge_history(read_history(folder));
  if (acknowledged.series.starts_with('@'))
    accept_class(report, acknowledged);
  else
    accept_finding(report, acknowledged);
  acknowledged.utc = now().utc;
  return store_acknowledgement(folder, acknowledged);
}

}  // namespace stepgate
