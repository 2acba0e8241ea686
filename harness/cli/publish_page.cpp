#include "cli/publish_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <set>

#include "cli/terminal.h"
#include "experiment/history/history.h"
#include "experiment/results/stored_evidence.h"
#include "report/history/case_histories.h"
#include "report/page/gate_page.h"
#include "report/page/render_page.h"
#include "system/output_file.h"

namespace stepgate {
namespace {

std::string page_variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool draws_history(const ReportOutput& output) { return !output.html.empty() && !output.history.empty(); }

/// A page without a history must not look like a case without one.
void tell_missing_class(const ReportOutput& output, const HistoryReport& history, const RunReport& report) {
  std::set<std::string> classes;
  for (const HistorySessionFacts& session : history.sessions) classes.insert(session.runner_class);
  if (report.runner_class.empty() || classes.contains(report.runner_class)) return;
  print_notice(stderr,
               {Severity::warning,
                fmt::format("--history: {} has no session of runner class {}, so the page shows none; it has {}",
                            output.history.string(), report.runner_class, fmt::join(classes, ", ")),
                "name the class of this machine: --runner-class NAME"});
}

CaseHistories histories_beside(const ReportOutput& output, const RunReport& report) {
  if (!draws_history(output)) return {};
  const HistoryReport history = read_history_report(output.history, {});
  tell_missing_class(output, history, report);
  return case_histories(history, report);
}

}  // namespace

void refuse_no_history(const ReportOutput& output) {
  if (draws_history(output)) need_history(output.history);
}

std::string published_repository() {
  const std::string server = page_variable("GITHUB_SERVER_URL");
  const std::string repository = page_variable("GITHUB_REPOSITORY");
  if (!server.empty() && !repository.empty()) return server + "/" + repository;
  const std::string project = page_variable("CI_PROJECT_URL");
  return project.empty() ? "" : project + "/-";
}

void publish_page(const Presentation& how, const RunReport& report) {
  write_page(how.output.html, gate_page({.report = report,
                                         .evidence = stored_evidence(how.project, report, how.plan),
                                         .histories = histories_beside(how.output, report),
                                         .repository_url = published_repository()}));
}

void write_page(const std::filesystem::path& html, const Page& page) { write_output_file(html, render_page(page)); }

}  // namespace stepgate
