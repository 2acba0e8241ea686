#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/examining.h"
#include "cli/show.h"
#include "core/error.h"
#include "json/doctor_json.h"
#include "report/doctor_report.h"

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
