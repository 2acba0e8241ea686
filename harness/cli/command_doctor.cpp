#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/show.h"
#include "core/error.h"
#include "experiment/examining.h"
#include "json/results/doctor_json.h"
#include "report/studies/doctor_report.h"

namespace stepgate {

int command_doctor(const Options& options) {
  if (!options.arguments.empty()) {
    throw Error(ErrorKind::usage, fmt::format("doctor takes no argument, found '{}'", options.arguments.front()),
                "it looks at this machine: stepgate doctor");
  }
  const DoctorReport report = examine(options);
  fmt::print("{}", options.json ? to_text(report) : render_doctor(report, console_style(options)));
  return 0;
}

}  // namespace stepgate
