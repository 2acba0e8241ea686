#include "cli/commands/command_compare.h"

#include <fmt/format.h>

#include "cli/options/groups/cases.h"
#include "cli/options/groups/places.h"
#include "cli/publish_page.h"
#include "cli/show.h"
#include "cli/terminal.h"
#include "core/error.h"

namespace stepgate {
namespace {

constexpr std::string_view compare_name = "compare";

}  // namespace

ComparisonOptions comparison_options(const CompareCommand& o) {
  if (o.arguments.size() != 2) {
    throw Error(ErrorKind::usage, fmt::format("compare takes two measurements, found {}", o.arguments.size()),
                "stepgate compare BEFORE AFTER: measurement.json files, or folders of results");
  }
  return {.before = o.arguments[0], .after = o.arguments[1], .tier = o.tier, .globs = o.filters};
}

OptionRows rows_of(CompareCommand& o) {
  return joined({{build_row(o.build), policy_dir_row(o.policy_root)},
                 {filter_row(o.filters), tier_row(o.tier)},
                 rows_of(o.output, compare_name),
                 {verbose_row(o.output.style)},
                 rows_of(o.output.style.table)});
}

int command_compare(const CompareCommand& o) {
  refuse_no_history(o.output);
  const ComparisonOptions files = comparison_options(o);
  const Project project = project_at_hand({.build = o.build, .policy_root = o.policy_root});
  const Caller caller = terminal_caller(false, {.policy_root = o.policy_root}, project);
  const Judging nothing_required;
  return finish({o.output, nothing_required, project}, compare_measurements(project, files, caller));
}

}  // namespace stepgate
