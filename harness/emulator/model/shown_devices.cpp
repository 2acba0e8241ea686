#include "emulator/model/shown_devices.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

namespace stepgate::emulator {
namespace {

/// FNV-1a, 64 bits.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char letter : text) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3ULL;
  return hash;
}

std::string_view without_outer_blanks(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

int device_of_index(const MachineOptions& options, std::string_view entry) {
  int index = -1;
  const auto [end, error] = std::from_chars(entry.data(), entry.data() + entry.size(), index);
  const bool is_number = error == std::errc() && end == entry.data() + entry.size();
  return is_number && index >= 0 && index < options.devices ? index : -1;
}

/// A UUID may be cut short where it still fits one device only.
int device_of_uuid(const MachineOptions& options, std::string_view entry) {
  int found = -1;
  for (int device = 0; device < options.devices; ++device) {
    if (!uuid_text(*options.model, device).starts_with(entry)) continue;
    if (found >= 0) return -1;
    found = device;
  }
  return found;
}

}  // namespace

std::array<std::uint8_t, 16> uuid_of(const DeviceModel& model, int device) {
  std::array<std::uint8_t, 16> bytes{};
  const std::string name(model.key);
  for (std::size_t half = 0; half < 2; ++half) {
    const std::uint64_t hash = hash_of(name + "/" + std::to_string(device) + "/" + std::to_string(half));
    for (std::size_t place = 0; place < 8; ++place) {
      bytes[half * 8 + place] = static_cast<std::uint8_t>(hash >> (8 * place));
    }
  }
  return bytes;
}

std::string uuid_text(const DeviceModel& model, int device) {
  std::string text = "GPU-";
  const std::array<std::uint8_t, 16> bytes = uuid_of(model, device);
  for (std::size_t place = 0; place < bytes.size(); ++place) {
    if (place == 4 || place == 6 || place == 8 || place == 10) text += '-';
    constexpr std::string_view digits = "0123456789abcdef";
    text += digits[bytes[place] >> 4U];
    text += digits[bytes[place] & 0xFU];
  }
  return text;
}

unsigned bus_number(int device) {
  constexpr unsigned first_bus = 0x1b;  // as in a server with eight GPUs
  constexpr unsigned distance = 0x10;
  constexpr unsigned buses = 0x100;
  return (first_bus + distance * static_cast<unsigned>(device) + static_cast<unsigned>(device) / distance) % buses;
}

std::string bus_id_text(int device) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "00000000:%02X:00.0", bus_number(device));
  return text.data();
}

std::vector<int> shown_devices(const MachineOptions& options, const std::optional<std::string>& list) {
  std::vector<int> shown;
  if (!list) {
    for (int device = 0; device < options.devices; ++device) shown.push_back(device);
    return shown;
  }
  std::string_view rest = *list;
  while (true) {
    const std::size_t comma = rest.find(',');
    const std::string_view entry = without_outer_blanks(rest.substr(0, comma));
    const int device = entry.starts_with("GPU-") ? device_of_uuid(options, entry) : device_of_index(options, entry);
    if (device < 0) return shown;
    if (std::find(shown.begin(), shown.end(), device) != shown.end()) return {};
    shown.push_back(device);
    if (comma == std::string_view::npos) return shown;
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace stepgate::emulator
