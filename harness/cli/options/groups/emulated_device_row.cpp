#include "cli/options/groups/emulated_device_row.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <functional>
#include <string>
#include <utility>

#include "core/error.h"

namespace stepgate {
namespace {

/// A text that names an emulated device and is wrong throws: the message names the part.
OptionValue emulated_device_into(std::optional<EmulatedDevice>& device) {
  return {.accepts = fmt::format(
              "emulated:MODEL or emulated:MODEL:N, with :values behind where a case needs values, a model of {}",
              fmt::join(emulated_models, ", ")),
          .set = [&device](const std::string& text) {
            if (!names_emulated_device(text)) return false;
            device = emulated_device_from(text);
            return true;
          }};
}

/// The option may stand alone, which examines the GPU of this machine.
std::function<bool(const std::string&)> examined_into(bool& examined, std::function<bool(const std::string&)> set) {
  return [&examined, set = std::move(set)](const std::string& text) {
    examined = true;
    return text.empty() || set(text);
  };
}

OptionRow row_of_device(OptionValue into) {
  return {
      Topic::measuring,
      "device",
      "emulated:MODEL",
      "",
      "an emulated GPU, or N of them (emulated:h100:2): counts and bytes, no times; emulated:h100:values also "
      "computes, for tiny cases; `doctor CASE` says which cases need that, `doctor --device` alone tests the GPU of "
      "this machine (60 s a check, or --timeout)",
      std::move(into)};
}

}  // namespace

OptionRow device_row(std::optional<EmulatedDevice>& device) { return row_of_device(emulated_device_into(device)); }

OptionRow device_row(ExaminedDevice& o) {
  OptionValue into = emulated_device_into(o.emulated);
  into.may_stand_alone = true;
  into.set = examined_into(o.examined, std::move(into.set));
  return row_of_device(std::move(into));
}

OptionRow hazards_row(bool& seeks_hazards, const std::optional<EmulatedDevice>& device) {
  OptionRow row{
      Topic::measuring,
      "hazards",
      "",
      "",
      "with --device emulated: one process more a case, which looks for accesses of streams and the host that "
      "nothing orders; each is red",
      switch_on(seeks_hazards)};
  row.needs.push_back([&device] {
    if (device) return;
    throw Error(ErrorKind::usage, "--hazards: stream hazards are found on an emulated GPU alone",
                "give --device emulated:h100 too, or leave out --hazards");
  });
  return row;
}

OptionRow calibration_row(std::filesystem::path& file) {
  return {Topic::measuring,
          "calibration",
          "FILE",
          "",
          "with --device emulated: what the libraries of a real GPU start for each call, so that the sum of kernels is "
          "judged at other shapes too; `doctor --device --trace TRACE` writes it",
          path_into(file, "a file")};
}

OptionRow calibration_row(std::filesystem::path& file, const std::optional<EmulatedDevice>& device) {
  OptionRow row = calibration_row(file);
  row.needs.push_back([&device] {
    if (device) return;
    throw Error(ErrorKind::usage, "--calibration: on a real GPU the kernels of libraries are counted",
                "give --device emulated:h100 too, or leave out --calibration");
  });
  return row;
}

TierChoice measured_half(TierChoice asked, const std::optional<EmulatedDevice>& device) {
  return device ? TierChoice::exact : asked;
}

void refuse_emulated_times(TierChoice asked) {
  if (asked == TierChoice::exact) return;
  throw Error(ErrorKind::usage,
              fmt::format("--device emulated has no times, and --tier {} asks for them", name_of(asked)),
              "give --tier exact; times need a GPU");
}

void refuse_emulated_clocks(const GuardChoice& guard) {
  if (!guard.gpu_clock && !guard.gpu_memory_clock) return;
  throw Error(ErrorKind::usage, "--device emulated has no clock that could be locked",
              "leave out --gpu-clock and --gpu-memory-clock");
}

}  // namespace stepgate
