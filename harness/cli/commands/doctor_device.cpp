#include "cli/commands/doctor_device.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/show.h"
#include "core/error.h"
#include "environment/gpu/nvml_library.h"
#include "experiment/device_doctor.h"
#include "experiment/host/quiet_host.h"
#include "json/results/device_report_json.h"
#include "report/studies/device_report.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

constexpr int does_not_hold = 3;
constexpr int no_gpu = 77;
/// LibTorch from a cold disk, a first CUDA context and the longest check take 20 s.
constexpr double usual_limit_s = 60;

/// It is built, installed and bundled beside the launcher.
fs::path program_beside_launcher() {
  std::error_code failed;
  const fs::path own = fs::read_symlink("/proc/self/exe", failed);
  return failed ? fs::path("stepgate_device_check") : own.parent_path() / "stepgate_device_check";
}

fs::path check_program(const Options& options) {
  const fs::path program =
      options.device_check.empty() ? program_beside_launcher() : fs::absolute(options.device_check);
  if (::access(program.c_str(), X_OK) == 0) return program;
  throw Error(ErrorKind::measure, fmt::format("{} is not there, or is no program", program.string()),
              "build stepgate with a LibTorch that has CUDA, or name the program: --device-check PROGRAM");
}

}  // namespace

int doctor_device(const Options& options) {
  const NvmlLibrary nvml = NvmlLibrary::open();
  const bool progress = ::isatty(STDERR_FILENO) != 0;
  const DeviceReport report =
      examine_device({.program = check_program(options),
                      .timeout_s = options.timeout_s.value_or(usual_limit_s),
                      .driver = nvml.get(),
                      .no_driver = nvml.reason(),
                      .offer = offered_here(nvml),
                      .interrupted = &watch_for_interrupts(),
                      .on_run = [&](const std::string& run, int done, int all) {
                        if (progress) print_status_line(fmt::format("{}: process {} of {}", run, done + 1, all));
                      }});
  if (progress) print_status_line("");
  if (options.json) {
    print_json(to_text(report));
  } else {
    print_page(stdout, render_device(report, console_style(options)), console_style(options));
  }
  if (!report.missing.empty()) return no_gpu;
  return std::any_of(report.lines.begin(), report.lines.end(), breaks_verdicts) ? does_not_hold : 0;
}

}  // namespace stepgate
