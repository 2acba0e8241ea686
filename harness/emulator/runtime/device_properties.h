// What a device answers about itself, from its model.
#pragma once

#include <cuda.h>
#include <driver_types.h>

#include <optional>

#include "emulator/machine/emulated_machine.h"
#include "emulator/model/device_constants.h"

namespace stepgate::emulator {

/// `device`: one that the process sees. Members that are not modelled (limits of textures and surfaces, PCI numbers of
/// the product, NUMA) have all bits set: no real device has such a value, so a program that uses one shows it.
cudaDeviceProp properties_of(const EmulatedMachine& machine, int device);

/// Runtime and driver number attributes alike. Absent for one that is not modelled.
std::optional<int> attribute_of(const EmulatedMachine& machine, int device, cudaDeviceAttr attribute);
inline std::optional<int> attribute_of(const EmulatedMachine& machine, int device, CUdevice_attribute attribute) {
  return attribute_of(machine, device, static_cast<cudaDeviceAttr>(attribute));
}

}  // namespace stepgate::emulator
