// The capacity of the link between host and GPU, as the kernel reports it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace stepgate {

/// Bytes per second each way of a PCIe link as /sys/bus/pci/devices/<id>/current_link_speed ("32.0 GT/s PCIe") and
/// current_link_width ("16") describe it, less its line code: 8/10 up to 5 GT/s, 128/130 up to 32 GT/s, and 242/256 for
/// the flits from 64 GT/s (PCI Express Base Specification 6.0). Absent if a text has another form.
std::optional<std::int64_t> pcie_bytes_per_s(std::string_view speed, std::string_view width);

/// The same for one device, "0000:3b:00.0". Absent if the kernel reports nothing, as in most virtual machines.
std::optional<std::int64_t> pcie_link_of(const std::string& bus_id);

}  // namespace stepgate
