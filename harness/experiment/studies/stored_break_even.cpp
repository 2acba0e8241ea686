#include "experiment/studies/stored_break_even.h"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "core/error.h"
#include "diagnose/time/break_even_steps.h"
#include "experiment/plan/case_plan.h"
#include "experiment/plan/measurement_files.h"
#include "experiment/plan/selection.h"
#include "judge/reduce/reduce_case.h"

namespace stepgate {
namespace {

/// All measured halves of the case; the timed one first, since its facts belong to its times.
PacedCase stored_pace(const Project& project, const std::string& case_name) {
  PacedCase one{.case_name = case_name};
  for (TierChoice half : {TierChoice::timed, TierChoice::all, TierChoice::exact}) {
    const std::filesystem::path file = result_folder(project, case_name, half) / "measurement.json";
    std::error_code failed;
    if (std::filesystem::exists(file, failed)) add_paced_values(case_values(read_measurement(file)), one);
  }
  return one;
}

}  // namespace

BreakEvenStudy stored_break_even(const Project& project, const BreakEvenOptions& options) {
  const std::string fast = case_named(project.manifest, options.case_name).name;
  const std::string twin = case_named(project.manifest, options.twin).name;
  if (fast == twin)
    throw Error(ErrorKind::usage, fmt::format("{} is given twice: a case is not its own twin", fast),
                "name the eager form of the case after --twin");
  PacedCase paced = stored_pace(project, fast);
  PacedCase paced_twin = stored_pace(project, twin);
  for (const PacedCase* one : {&paced, &paced_twin}) {
    if (has_pace(*one)) continue;
    throw Error(ErrorKind::usage, fmt::format("no times of {} below {}", one->case_name, project.out.string()),
                fmt::format("measure both: stepgate run {} {} --tier timed", fast, twin));
  }
  return break_even_study(std::move(paced), std::move(paced_twin));
}

}  // namespace stepgate
