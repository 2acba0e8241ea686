#include "cli/publish_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <set>

#include "cli/options/experiment_options.h"
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

bool draws_history(const Options& options) { return !options.html.empty() && !options.history.empty(); }

/// A page without a history must not look like a case without one.
void tell_missing_class(const Options& options, const HistoryReport& history, const RunReport& report) {
  std::set<std::string> classes;
  for (const HistorySessionFacts& session : history.sessions) classes.insert(session.runner_class);
  if (report.runner_class.empty() || classes.contains(report.runner_class)) return;
  print_notice(stderr,
               {Severity::warning,
                fmt::format("--history: {} has no session of runner class {}, so the page shows none; it has {}",
                            options.history.string(), report.runner_class, fmt::join(classes, ", ")),
                "name the class of this machine: --runner-class NAME"});
}

CaseHistories histories_beside(const Options& options, const RunReport& report) {
  if (!draws_history(options)) return {};
  const HistoryReport history = read_history_report(options.history, {});
  tell_missing_class(options, history, report);
  return case_histories(history, report);
}

}  // namespace

void refuse_no_history(const Options& options) {
  if (draws_history(options)) need_history(options.history);
}

std::string published_repository() {
  const std::string server = page_variable("GITHUB_SERVER_URL");
  const std::string repository = page_variable("GITHUB_REPOSITORY");
  if (!server.empty() && !repository.empty()) return server + "/" + repository;
  const std::string project = page_variable("CI_PROJECT_URL");
  return project.empty() ? "" : project + "/-";
}

void publish_page(const Options& options, const RunReport& report) {
  publish_page_of_plan(options, report, project_at_hand(project_options(options)), {});
}

void publish_page_of_plan(const Options& options, const RunReport& report, const Project& project,
                          const std::filesystem::path& plan) {
  const Page page = gate_page({.report = report,
                               .evidence = stored_evidence(project, report, plan),
                               .histories = histories_beside(options, report),
                               .repository_url = published_repository()});
  write_page(options, page);
}

void write_page(const Options& options, const Page& page) {
  if (!options.html.empty()) write_output_file(options.html, render_page(page));
}

}  // namespace stepgate
