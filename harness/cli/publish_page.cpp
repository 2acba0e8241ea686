#include "cli/publish_page.h"

#include <cstdlib>

#include "cli/options/experiment_options.h"
#include "experiment/results/stored_evidence.h"
#include "report/page/gate_page.h"
#include "report/page/render_page.h"
#include "system/output_file.h"

namespace stepgate {
namespace {

std::string page_variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

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
  const Page page = gate_page(
      {.report = report, .evidence = stored_evidence(project, report, plan), .repository_url = published_repository()});
  write_page(options, page);
}

void write_page(const Options& options, const Page& page) {
  if (!options.html.empty()) write_output_file(options.html, render_page(page));
}

}  // namespace stepgate
