#include "cli/commands/profile_view.h"

#include <fmt/format.h>

#include "cli/output.h"
#include "cli/show.h"
#include "core/error.h"
#include "experiment/plan/selection.h"
#include "experiment/studies/profile.h"
#include "json/studies/profile_json.h"
#include "report/profile/profile_page.h"
#include "system/file.h"

namespace stepgate {

OperatorView operator_view(const Options& options) {
  return {.sort = operator_sort_named(options.sort).value_or(OperatorSort::self),
          .by = operators_by_named(options.by).value_or(OperatorsBy::call_site),
          .rows = static_cast<std::size_t>(options.rows.value_or(10))};
}

void print_profile(const Options& options, const Profile& profile) {
  const ConsoleStyle style = console_style(options);
  if (options.json) {
    print_json(to_text(profile));
  } else if (options.checklist || options.smoke) {
    print_page(stdout, render_checklist(profile, options.smoke ? "smoke" : "", style), style);
  } else {
    print_page(stdout, render_profile(profile, operator_view(options), style), style);
  }
}

int show_stored_profiles(const Options& options, const Project& project) {
  bool any = false;
  for (const ManifestCase& entry :
       select_cases(project.manifest, {.names = options.arguments, .globs = options.filters})) {
    const auto file = profile_folder(project, entry.name) / "profile.json";
    const auto text = read_text_file_if_present(file);
    if (!text) continue;
    print_profile(options, profile_from_text(*text, file.string()));
    any = true;
  }
  if (any) return 0;
  throw Error(ErrorKind::usage, fmt::format("no profile.json below {}", (project.out / "profile").string()),
              "profile a case first: stepgate profile CASE");
}

}  // namespace stepgate
