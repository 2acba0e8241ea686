#include "cli/commands/command_check.h"

#include "cli/options/groups/cases.h"
#include "cli/options/groups/measuring.h"
#include "cli/options/groups/places.h"
#include "cli/publish_page.h"
#include "cli/show.h"
#include "cli/terminal.h"
#include "experiment/check_measurements.h"

namespace stepgate {
namespace {

constexpr std::string_view check_name = "check";

/// An emulated GPU decides the class; no process runs on it.
std::string class_of(const CheckCommand& o) { return o.device ? runner_class_of(*o.device) : o.runner_class; }

ProjectOptions checked_project(const CheckCommand& o) {
  return judged({.build = o.build,
                 .baseline_root = o.baseline_root,
                 .policy_root = o.policy_root,
                 .out = o.out,
                 .runner_class = class_of(o),
                 .session_gap_s = o.session_gap_s,
                 .calibration = o.calibration},
                o.judging);
}

RepeatedOptions repeated_by(const CheckCommand& o) {
  return {.baseline_root = o.baseline_root,
          .policy_root = o.policy_root,
          .runner_class = class_of(o),
          .session_gap_s = o.session_gap_s,
          .calibration = o.calibration,
          .device = o.device};
}

}  // namespace

OptionRows rows_of(CheckCommand& o) {
  OptionRows rows = joined({{build_row(o.build), out_row(o.out), baseline_dir_row(o.baseline_root),
                             policy_dir_row(o.policy_root), runner_class_row(o.runner_class)},
                            {tier_row(o.tier), session_gap_row(o.session_gap_s), device_row(o.device),
                             calibration_row(o.calibration, o.device)},
                            rows_of(o.output, check_name),
                            rows_of(o.judging),
                            {verbose_row(o.output.style)},
                            rows_of(o.output.style.table)});
  add_need(rows, {"device"}, [&o] {
    if (o.tier == TierChoice::timed) refuse_emulated_times(o.tier);
  });
  return rows;
}

int command_check(const CheckCommand& o) {
  refuse_no_history(o.output);
  const Project project = read_project(checked_project(o));
  const Caller caller = terminal_caller(false, repeated_by(o), project);
  const CheckOptions asked{.files = {o.arguments.begin(), o.arguments.end()}, .tier = o.tier};
  return finish({o.output, o.judging, project}, check_measurements(project, asked, caller));
}

}  // namespace stepgate
