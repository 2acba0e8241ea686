// The devices of the machine that a process sees: CUDA_VISIBLE_DEVICES by index and UUID, and names of devices.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/model/machine_options.h"

namespace stepgate::emulator {

/// Made from the model and the device's number, so that each process of a run sees the same.
std::array<std::uint8_t, 16> uuid_of(const DeviceModel& model, int device);
/// "GPU-5e9c...".
std::string uuid_text(const DeviceModel& model, int device);
/// "00000000:1B:00.0".
std::string bus_id_text(int device);
unsigned bus_number(int device);

/// Numbers of the devices that a process with this CUDA_VISIBLE_DEVICES sees, in its order. The first entry that names
/// no device ends the list, and so does a device named twice, which leaves none. Without a list: all. Rules: CUDA C++
/// Programming Guide, "CUDA Environment Variables".
std::vector<int> shown_devices(const MachineOptions& options, const std::optional<std::string>& list);

}  // namespace stepgate::emulator
