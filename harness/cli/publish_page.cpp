#include "cli/publish_page.h"

#include <cstdlib>

#include "cli/study_parts.h"
#include "experiment/results/stored_evidence.h"
#include "report/page/gate_page.h"
#include "report/page/render_page.h"
#include "system/files/output_file.h"

namespace stepgate {
namespace {

std::string page_variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool draws_history(const ReportOutput& output) { return !output.html.empty() && !output.history.empty(); }

CaseHistories histories_beside(const ReportOutput& output, const RunReport& report) {
  return draws_history(output) ? page_histories(output.history, report) : CaseHistories();
}

}  // namespace

void refuse_no_history(const ReportOutput& output) {
  if (draws_history(output)) need_page_history(output.history);
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
