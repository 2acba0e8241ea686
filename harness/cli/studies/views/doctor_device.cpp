#include "cli/studies/views/doctor_device.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "cli/interrupt.h"
#include "cli/output.h"
#include "core/error.h"
#include "core/text/shell_quoted.h"
#include "environment/gpu/nvml_library.h"
#include "experiment/host/quiet_host.h"
#include "experiment/own_place.h"
#include "experiment/studies/device_doctor.h"
#include "json/studies/device_report_json.h"
#include "report/studies/device_check_report.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

constexpr int does_not_hold = 3;
constexpr int no_gpu = 77;
/// LibTorch from a cold disk, a first CUDA context and the longest check take 20 s.
constexpr double usual_limit_s = 60;

/// The command that puts the program beside the launcher. A gate does not need it, so a first build leaves it out.
std::string how_to_get_program(const OwnPlace& place) {
  const std::string root = shell_quoted(place.root.string());
  switch (place.kind) {
    case OwnPlaceKind::build_folder:
      return fmt::format("cmake --build {} --target stepgate_device_check (it exists where LibTorch has CUDA)", root);
    case OwnPlaceKind::bundle:
      return "make the bundle anew from a build whose LibTorch has CUDA: ci/bundle BUILD OUT_DIR";
    case OwnPlaceKind::prefix:
      return fmt::format("install a build whose LibTorch has CUDA: cmake --install BUILD --prefix {}", root);
  }
  return "";
}

/// It is built, installed and bundled beside the launcher.
fs::path check_program(const fs::path& asked) {
  std::error_code failed;
  const fs::path launcher = fs::read_symlink("/proc/self/exe", failed);
  const bool named = !asked.empty();
  const fs::path program = named ? fs::absolute(asked) : launcher.parent_path() / "stepgate_device_check";
  if (::access(program.c_str(), X_OK) == 0) return program;
  throw Error(ErrorKind::measure, fmt::format("{} is not there, or is not a program", program.string()),
              named ? "name the program that makes the checks: --device-check PROGRAM"
                    : how_to_get_program(own_place(launcher)));
}

/// Its checks compare what the host sees at real times, so its clock is the host's. One looks whether nonzero waits.
std::optional<EmulatedGpu> machine_of(const DeviceCheckAsked& asked, const fs::path& program) {
  if (!asked.emulated) return std::nullopt;
  return EmulatedGpu{.device = *asked.emulated,
                     .folder = emulated_gpu_folder(program, {}),
                     .settings = {{"clock", "real"}, {"sizes", "held"}}};
}

}  // namespace

int doctor_device(const DeviceCheckAsked& asked, const ConsoleStyle& style) {
  const fs::path program = check_program(asked.program);
  const std::optional<EmulatedGpu> emulated = machine_of(asked, program);
  const NvmlLibrary nvml = emulated ? open_emulated_driver(*emulated) : NvmlLibrary::open();
  const bool progress = ::isatty(STDERR_FILENO) != 0;
  const DeviceReport report =
      examine_device({.program = program,
                      .timeout_s = asked.timeout_s.value_or(usual_limit_s),
                      .driver = nvml.get(),
                      .no_driver = nvml.reason(),
                      .offer = emulated ? offered_by(nvml, emulated->device) : offered_here(nvml),
                      .emulated = emulated,
                      .interrupted = &watch_for_interrupts(),
                      .on_run = [&](const std::string& run, int done, int all) {
                        if (progress) print_status_line(fmt::format("{}: process {} of {}", run, done + 1, all));
                      }});
  if (progress) print_status_line("");
  if (asked.json) {
    print_json(to_text(report));
  } else {
    print_page(stdout, render_device(report, style), style);
  }
  if (!report.missing.empty()) return no_gpu;
  return std::any_of(report.lines.begin(), report.lines.end(), breaks_verdicts) ? does_not_hold : 0;
}

}  // namespace stepgate
