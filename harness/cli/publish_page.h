// --html: the report page, with what the output folder holds behind the verdicts.
#pragma once

#include <filesystem>
#include <string>

#include "cli/options/groups/documents.h"
#include "cli/presentation.h"
#include "core/verdict/run_report.h"
#include "report/page/page_model.h"

namespace stepgate {

/// Throws Error(usage) if a page is asked for and --history names a folder that is not a history. To be called before
/// anything is measured or printed.
void refuse_no_history(const ReportOutput& output);

/// Writes the file of --html whole. Throws Error(measure) where it cannot be written.
void publish_page(const Presentation& how, const RunReport& report);

/// Writes a page of any kind to the file of --html.
void write_page(const std::filesystem::path& html, const Page& page);

/// The address at which a CI service publishes the sources, from GITHUB_SERVER_URL and GITHUB_REPOSITORY or from
/// CI_PROJECT_URL (then with GitLab's "/-"); "" outside of these.
std::string published_repository();

}  // namespace stepgate
