#include "cli/studies/views/profile_view.h"

#include <fmt/format.h>

#include "cli/output.h"
#include "cli/study_parts.h"
#include "core/error.h"
#include "experiment/studies/profiled/run_profile.h"
#include "json/studies/profile_json.h"
#include "report/profile/profile_report.h"
#include "system/files/file.h"

namespace stepgate {

void print_profile(const Profile& profile, const ProfileTable& table, const StudyOutput& output) {
  const ConsoleStyle style = console_style(output.style);
  if (output.json) {
    print_json(to_text(profile));
  } else if (table.checklist || table.smoke) {
    print_page(stdout, render_checklist(profile, table.smoke ? "smoke" : "", style), style);
  } else {
    print_page(stdout, render_profile(profile, operator_view(table), style), style);
  }
}

int show_stored_profiles(const Project& project, const Selection& selection, const ProfileTable& table,
                         const StudyOutput& output) {
  bool any = false;
  for (const ManifestCase& entry : select_cases(project.manifest, selection)) {
    const auto file = profile_folder(project, entry.name) / "profile.json";
    const auto text = read_text_file_if_present(file);
    if (!text) continue;
    print_profile(profile_from_text(*text, file.string()), table, output);
    any = true;
  }
  if (any) return 0;
  throw Error(ErrorKind::usage, fmt::format("no profile.json below {}", (project.out / "profile").string()),
              "profile a case first: stepgate profile CASE");
}

}  // namespace stepgate
