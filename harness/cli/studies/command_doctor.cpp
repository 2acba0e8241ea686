#include "cli/studies/command_doctor.h"

#include <fmt/format.h>

#include <cctype>
#include <cstdlib>
#include <string_view>

#include "cli/options/groups/cases.h"
#include "cli/options/groups/documents.h"
#include "cli/options/groups/measuring.h"
#include "cli/options/groups/places.h"
#include "cli/output.h"
#include "cli/studies/views/doctor_calibration.h"
#include "cli/studies/views/doctor_cases.h"
#include "cli/studies/views/doctor_device.h"
#include "core/error.h"
#include "environment/guard/journal_file.h"
#include "experiment/plan/build_folder.h"
#include "experiment/studies/examine_host.h"
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

std::vector<EffectiveSetting> effective_settings(const DoctorCommand& o, const Manifest& manifest) {
  return {
      setting("guard", std::string(name_of(o.guard.mode)), "process"),
      setting("state-dir", state_folder_of(o.state_folder).string(), default_state_folder().string()),
      setting("runner-class", o.runner_class, "local"),
      {"build", manifest.path.empty() ? "none found" : manifest.path.parent_path().string(),
       o.build.empty() ? fmt::format("looked for in {}", looked_in) : "--build"},
  };
}

/// `doctor CASE --device emulated:MODEL` asks which mode cases need.
bool asks_for_modes(const DoctorCommand& o) { return o.device.emulated && !o.arguments.empty(); }

/// `doctor --device` looks at a GPU, not at what reduces noise.
void need_whole_host(const DoctorCommand& o) {
  if (!o.device.examined) return;
  throw Error(ErrorKind::usage, "--device examines a GPU, and the options that name a build or the host have no effect",
              "leave them out: stepgate doctor --device");
}

void need_device(const DoctorCommand& o) {
  if (o.device.examined) return;
  throw Error(ErrorKind::usage, "--device-check and --timeout of doctor need --device",
              "add --device: stepgate doctor --device");
}

/// The shapes have to be those of cases, so doctor's own checks cannot make the trace.
void need_both_for_calibration(const DoctorCommand& o) {
  constexpr std::string_view whole = "stepgate doctor --device --calibration FILE --trace TRACE";
  if (o.calibration.empty()) {
    throw Error(ErrorKind::usage, "--trace of doctor is what --calibration is made from, and that is not given",
                fmt::format("{}; where the time of a trace goes: stepgate profile --trace FILE", whole));
  }
  if (o.trace.empty()) {
    throw Error(
        ErrorKind::usage, "--calibration is made from a trace, and --trace is not given",
        fmt::format("on the machine with the GPU: stepgate profile CASE, whose trace.json.gz is in the results; "
                    "then: {}",
                    whole));
  }
  if (!o.device.examined || o.device.emulated || !o.arguments.empty() || !o.device_check.empty() || o.timeout_s) {
    throw Error(ErrorKind::usage,
                "--calibration reads a trace of a real GPU and runs nothing: it stands with --device and --trace alone",
                std::string(whole));
  }
}

}  // namespace

OptionRows rows_of(DoctorCommand& o) {
  OptionRows rows =
      joined({{build_row(o.build), runner_class_row(o.runner_class), timeout_row(o.timeout_s), guard_row(o.guard)},
              clock_rows(o.guard),
              {state_dir_row(o.state_folder),
               device_row(o.device),
               {Topic::machine, "device-check", "PROGRAM", "",
                "with --device: the program that makes the checks (default: stepgate_device_check beside stepgate)",
                path_into(o.device_check, "a program")},
               calibration_row(o.calibration),
               trace_row(o.trace),
               json_row(o.json),
               verbose_row(o.style)},
              rows_of(o.style.table)});
  add_need(rows, {"build"}, [&o] {
    if (!asks_for_modes(o)) need_whole_host(o);
  });
  add_need(rows, {"runner-class", "guard", "gpu-clock", "gpu-memory-clock", "state-dir"}, [&o] { need_whole_host(o); });
  add_need(rows, {"timeout", "device-check"}, [&o] { need_device(o); });
  add_need(rows, {"calibration", "trace"}, [&o] { need_both_for_calibration(o); });
  return rows;
}

int command_doctor(const DoctorCommand& o) {
  if (!o.calibration.empty()) return doctor_calibration(o.trace, o.calibration, o.json);
  if (asks_for_modes(o)) {
    return doctor_cases({.cases = o.arguments,
                         .build = o.build,
                         .device = *o.device.emulated,
                         .timeout_s = o.timeout_s,
                         .host = host_options(o.guard, o.state_folder),
                         .json = o.json},
                        console_style(o.style));
  }
  refuse_arguments(o.arguments, "doctor",
                   "doctor examines this machine: stepgate doctor. Whether cases can be counted on an emulated GPU: "
                   "stepgate doctor CASE --device emulated:h100");
  if (o.device.examined) {
    return doctor_device(
        {.program = o.device_check, .timeout_s = o.timeout_s, .emulated = o.device.emulated, .json = o.json},
        console_style(o.style));
  }
  const Manifest manifest = project_at_hand({.build = o.build, .runner_class = o.runner_class}).manifest;
  DoctorReport report =
      examine_host({.command = "doctor", .cases = manifest.cases}, host_options(o.guard, o.state_folder));
  const std::vector<EffectiveSetting> chosen = effective_settings(o, manifest);
  report.settings.insert(report.settings.begin(), chosen.begin(), chosen.end());
  if (o.json) {
    print_json(to_text(report));
  } else {
    print_page(stdout, render_doctor(report, console_style(o.style)), console_style(o.style));
  }
  return 0;
}

}  // namespace stepgate
