// The kinds of devices that a case runs on.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace stepgate {

enum class Device { cpu, cuda };

constexpr std::string_view name_of(Device device) {
  constexpr std::array<std::string_view, 2> names = {"cpu", "cuda"};
  return names[static_cast<std::size_t>(device)];
}
constexpr std::optional<Device> device_named(std::string_view name) {
  for (Device device : {Device::cpu, Device::cuda}) {
    if (name_of(device) == name) return device;
  }
  return std::nullopt;
}

}  // namespace stepgate
