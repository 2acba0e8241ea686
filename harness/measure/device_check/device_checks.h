// The checks of stepgate_device_check: each asks the device one question and returns figures. Nothing is judged here.
#pragma once

#include <span>
#include <string_view>

#include "core/study/device_check.h"
#include "measure/device_check/probe_device.h"

namespace stepgate {

struct DeviceCheckRow {
  std::string_view name;
  std::string_view question;
  void (*run)(ProbeDevice&, DeviceFigures&) = nullptr;  ///< adds its figures
};

std::span<const DeviceCheckRow> device_check_table();

/// Null where no check has that name.
const DeviceCheckRow* find_device_check(std::string_view name);

}  // namespace stepgate
