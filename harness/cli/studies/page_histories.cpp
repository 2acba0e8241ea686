#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>
#include <string>

#include "cli/study_parts.h"
#include "cli/terminal.h"
#include "experiment/history/project_history.h"
#include "report/history/case_histories.h"

namespace stepgate {
namespace {

/// A page without a history must not look like a case without one.
void tell_missing_class(const std::filesystem::path& folder, const HistoryReport& history, const RunReport& report) {
  std::set<std::string> classes;
  for (const HistorySessionFacts& session : history.sessions) classes.insert(session.runner_class);
  if (report.runner_class.empty() || classes.contains(report.runner_class)) return;
  print_notice(stderr,
               {Severity::warning,
                fmt::format("--history: {} has no session of runner class {}, so the page shows none; it has {}",
                            folder.string(), report.runner_class, fmt::join(classes, ", ")),
                "name the class of this machine: --runner-class NAME"});
}

}  // namespace

void need_page_history(const std::filesystem::path& history) { need_history(history); }

CaseHistories page_histories(const std::filesystem::path& history, const RunReport& report) {
  const HistoryReport read = read_history_report(history, {});
  tell_missing_class(history, read, report);
  return case_histories(read, report);
}

}  // namespace stepgate
