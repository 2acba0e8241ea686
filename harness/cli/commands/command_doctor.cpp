#include <cctype>
#include <cstdlib>

#include "cli/commands/commands.h"
#include "cli/commands/doctor_device.h"
#include "cli/options/experiment_options.h"
#include "cli/output.h"
#include "cli/show.h"
#include "environment/guard/journal_file.h"
#include "experiment/plan/build_folder.h"
#include "experiment/studies/doctor.h"
#include "json/studies/doctor_json.h"
#include "report/studies/doctor_report.h"

namespace stepgate {
namespace {

EffectiveSetting setting(const std::string& flag, const std::string& value, const std::string& usual) {
  std::string variable = "STEPGATE_" + flag;
  for (char& letter : variable) letter = letter == '-' ? '_' : static_cast<char>(std::toupper(letter));
  const char* set = std::getenv(variable.c_str());
  const std::string source = set != nullptr && value == set ? variable : value == usual ? "default" : "--" + flag;
  return {flag, value, source};
}

std::vector<EffectiveSetting> effective_settings(const Options& options, const Manifest& manifest) {
  const HostOptions host = host_options(options);
  return {
      setting("guard", options.guard, "process"),
      setting("state-dir", host.state_folder.string(), default_state_folder().string()),
      setting("runner-class", options.runner_class, "local"),
      {"build", manifest.path.empty() ? "none found" : manifest.path.parent_path().string(),
       options.build.empty() ? fmt::format("looked for in {}", looked_in) : "--build"},
  };
}

}  // namespace

int command_doctor(const Options& options) {
  refuse_arguments(options, "doctor examines this machine, not a case: stepgate doctor");
  if (options.device) return doctor_device(options);
  const Manifest manifest = project_at_hand(project_options(options)).manifest;
  DoctorReport report =
      examine_host({options.command, manifest.cases, options.threads.value_or(1)}, host_options(options));
  const std::vector<EffectiveSetting> chosen = effective_settings(options, manifest);
  report.settings.insert(report.settings.begin(), chosen.begin(), chosen.end());
  if (options.json) {
    print_json(to_text(report));
  } else {
    print_page(stdout, render_doctor(report, console_style(options)), console_style(options));
  }
  return 0;
}

}  // namespace stepgate
