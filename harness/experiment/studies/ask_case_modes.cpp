#include "experiment/studies/ask_case_modes.h"

#include <fmt/format.h>

#include "core/error.h"
#include "judge/device/needed_mode.h"

namespace stepgate {
namespace {

std::string counting_device(const Project& project) {
  if (!project.emulated) {
    throw Error(ErrorKind::usage, "which mode a case needs is a question about an emulated GPU",
                "add --device emulated:h100");
  }
  const EmulatedDevice& device = project.emulated->device;
  if (!device.values) return text_of(device);
  throw Error(ErrorKind::usage, fmt::format("--device {} computes values, so nothing is left to ask", text_of(device)),
              "leave out :values");
}

}  // namespace

AskedModes ask_case_modes(const Project& project, MeasurementOptions options, const Caller& caller) {
  AskedModes asked{.modes = {.device = counting_device(project)}};
  options.measure.tier = TierChoice::exact;
  options.measure.exact_replicates = 1;
  Caller watched{.observer = caller.observer, .commands = caller.commands, .interrupted = caller.interrupted};
  watched.observer.on_measured = [&asked](const std::filesystem::path&, const Measurement& measurement) {
    asked.modes.cases.push_back(needed_mode(measurement));
  };
  watched.observer.on_times = [](const MeasuredTimes&) {};
  asked.interrupted_by = measure_cases(project, options, watched).interrupted_by;
  return asked;
}

}  // namespace stepgate
