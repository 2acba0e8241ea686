#include "experiment/plan/emulated_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>

#include "core/emulated_gpu_name.h"
#include "core/error.h"
#include "core/text/number_format.h"
#include "core/text/shell_quoted.h"
#include "experiment/plan/emulated_run.h"

namespace stepgate {
namespace {

constexpr const char* how_to_choose = "leave out --device, or name a case for a GPU: stepgate list shows the devices";

bool is_for_cpu(const ManifestCase& entry) { return entry.device != Device::cuda; }

void refuse_named_cpu_case(const std::string& asked, const Selection& selection, const ManifestCase& entry) {
  const bool is_named = std::find(selection.names.begin(), selection.names.end(), entry.name) != selection.names.end();
  if (!is_named || !is_for_cpu(entry)) return;
  throw Error(ErrorKind::usage,
              fmt::format("{}: {} runs on the CPU, and an emulated GPU changes nothing there", asked, entry.name),
              how_to_choose);
}

}  // namespace

std::string why_of_another_gpu(const Measurement& measurement, const std::string& runner_class) {
  const std::string& measured = measurement.runner_class;
  const std::string gpu = emulated_gpu_of_class(measured);
  if (measured == runner_class || (gpu.empty() && emulated_gpu_of_class(runner_class).empty())) return "";
  return gpu.empty() ? fmt::format("was measured on a machine of the class '{}', and not on an emulated GPU", measured)
                     : fmt::format("is of an {}, and the class '{}' is another one", gpu, runner_class);
}

std::string option_of_class(const Measurement& measurement) {
  const std::optional<EmulatedDevice> device = emulated_device_of_class(measurement.runner_class);
  return device ? "--device " + shell_quoted(text_of(*device))
                : "--runner-class " + shell_quoted(measurement.runner_class);
}

void refuse_emulated_class(const Project& project) {
  if (project.emulated || !project.runner_class.starts_with(emulated_class_prefix)) return;
  throw Error(
      ErrorKind::usage,
      fmt::format("the runner class '{}' is that of an emulated GPU, and this run has none", project.runner_class),
      "give --device emulated:MODEL, or name the kind of this machine: --runner-class NAME");
}

void keep_emulated_cases(const Project& project, const Selection& selection, MeasurableCases& chosen) {
  if (!project.emulated) return;
  const std::string asked = "--device " + text_of(project.emulated->device);
  for (const ManifestCase& entry : chosen.cases) refuse_named_cpu_case(asked, selection, entry);
  const std::size_t left_out = std::erase_if(chosen.cases, is_for_cpu);
  if (chosen.cases.empty()) {
    throw Error(ErrorKind::usage, fmt::format("{}: none of the chosen cases is for a GPU", asked), how_to_choose);
  }
  chosen.notices.push_back(
      {Severity::note, fmt::format("{}: the exact half alone: an emulated GPU has no times", asked)});
  if (left_out == 0) return;
  chosen.notices.push_back(
      {Severity::note, fmt::format("{}: {} for the CPU left out", asked, counted(left_out, "case"))});
}

}  // namespace stepgate
