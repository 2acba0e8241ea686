// --html: the report page, with what the output folder holds behind the verdicts.
#pragma once

#include <filesystem>
#include <string>

#include "cli/options/options.h"
#include "core/verdict/run_report.h"
#include "experiment/plan/project.h"
#include "report/page/page_model.h"

namespace stepgate {

/// Throws Error(usage) where a page is asked for and --history names a folder that is no history. To be called before
/// anything is measured or printed.
void refuse_no_history(const Options& options);

/// Writes options.html whole. Throws Error(measure) where it cannot be written.
void publish_page(const Options& options, const RunReport& report);

/// The same for what `merge` judged: the project is that of the plan in `plan`.
void publish_page_of_plan(const Options& options, const RunReport& report, const Project& project,
                          const std::filesystem::path& plan);

/// Writes a page of any kind to options.html, where one was asked for.
void write_page(const Options& options, const Page& page);

/// Where a CI service publishes the sources, from GITHUB_SERVER_URL and GITHUB_REPOSITORY or from CI_PROJECT_URL (then
/// with GitLab's "/-"); "" outside of these.
std::string published_repository();

}  // namespace stepgate
