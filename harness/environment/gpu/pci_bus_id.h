// One spelling for the address of a PCI device.
#pragma once

#include <string>
#include <string_view>

namespace stepgate {

/// As the kernel names devices, with a four-digit lower-case domain: NVML's "00000000:3B:00.0" -> "0000:3b:00.0".
std::string kernel_pci_bus_id(std::string_view bus_id);

}  // namespace stepgate
