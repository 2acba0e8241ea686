#include "cli/studies/views/doctor_cases.h"

#include <algorithm>
#include <utility>

#include "cli/output.h"
#include "cli/terminal.h"
#include "experiment/studies/ask_case_modes.h"
#include "json/studies/case_modes_json.h"
#include "report/studies/case_modes_report.h"

namespace stepgate {
namespace {

constexpr int not_counted = 3;
constexpr int not_judged_by_counts = 4;
constexpr int stopped = 128;

bool has_mode(const CaseModes& modes, NeededMode mode) {
  return std::any_of(modes.cases.begin(), modes.cases.end(),
                     [mode](const CaseMode& each) { return each.mode == mode; });
}

/// Measurements of the question lie beside those of gates.
Project project_of(const CaseModesAsked& asked) {
  Project project = read_project({.build = asked.build, .device = asked.device});
  project.out /= "doctor";
  return project;
}

}  // namespace

int doctor_cases(const CaseModesAsked& asked, const ConsoleStyle& style) {
  const Project project = project_of(asked);
  const Caller caller = terminal_caller(asked.json, {}, project);
  MeasurementOptions options{.selection = {.names = asked.cases}, .host = asked.host};
  options.measure.timeout_s = asked.timeout_s;
  const AskedModes answer = ask_case_modes(project, std::move(options), caller);
  clear_progress_line(asked.json);
  if (answer.interrupted_by != 0) return stopped + answer.interrupted_by;
  if (asked.json) {
    print_json(to_text(answer.modes));
  } else {
    print_page(stdout, render_case_modes(answer.modes, style), style);
  }
  if (has_mode(answer.modes, NeededMode::unknown)) return not_counted;
  return has_mode(answer.modes, NeededMode::values) ? not_judged_by_counts : 0;
}

}  // namespace stepgate
