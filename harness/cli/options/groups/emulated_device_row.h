// --device: an emulated GPU in place of a real one.
#pragma once

#include <filesystem>
#include <optional>

#include "cli/options/groups/machine.h"
#include "cli/options/option_row.h"
#include "core/verdict/tier_choice.h"
#include "experiment/plan/emulated_run.h"

namespace stepgate {

/// Of the commands that measure cases.
OptionRow device_row(std::optional<EmulatedDevice>& device);

/// Of doctor, where the option stands alone for the GPU of this machine.
struct ExaminedDevice {
  bool examined = false;                   ///< a GPU in place of the host
  std::optional<EmulatedDevice> emulated;  ///< absent: that of this machine
};
OptionRow device_row(ExaminedDevice& o);

/// --hazards. Refused without an emulated GPU in `device`.
OptionRow hazards_row(bool& seeks_hazards, const std::optional<EmulatedDevice>& device);

/// --calibration of doctor, which writes the file.
OptionRow calibration_row(std::filesystem::path& file);
/// Of a command that judges. Refused without an emulated GPU in `device`.
OptionRow calibration_row(std::filesystem::path& file, const std::optional<EmulatedDevice>& device);

/// The half that a command measures: of an emulated GPU the exact one alone.
TierChoice measured_half(TierChoice asked, const std::optional<EmulatedDevice>& device);

/// Throws Error(usage) where times are asked of an emulated GPU.
void refuse_emulated_times(TierChoice asked);
/// Throws Error(usage) where a clock of an emulated GPU is to be locked.
void refuse_emulated_clocks(const GuardChoice& guard);

}  // namespace stepgate
