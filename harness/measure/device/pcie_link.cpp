#include "measure/device/pcie_link.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fstream>

namespace stepgate {
namespace {

constexpr double bits_per_byte = 8;

double line_code(double gigatransfers) {
  if (gigatransfers <= 5) return 8.0 / 10.0;
  return gigatransfers <= 32 ? 128.0 / 130.0 : 242.0 / 256.0;
}

template <typename Number>
std::optional<Number> leading_number(std::string_view text) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && number > 0 ? std::optional(number) : std::nullopt;
}

std::string first_line(const std::string& path) {
  std::string line;
  std::ifstream file(path);
  std::getline(file, line);
  return line;
}

}  // namespace

std::optional<std::int64_t> pcie_bytes_per_s(std::string_view speed, std::string_view width) {
  const auto gigatransfers = leading_number<double>(speed);
  const auto lanes = leading_number<int>(width);
  if (!gigatransfers || !lanes || speed.find("GT/s") == std::string_view::npos) return std::nullopt;
  return static_cast<std::int64_t>(*gigatransfers * 1e9 * *lanes * line_code(*gigatransfers) / bits_per_byte);
}

std::optional<std::int64_t> pcie_link_of(const std::string& bus_id) {
  std::string id = bus_id;
  std::transform(id.begin(), id.end(), id.begin(), [](unsigned char c) { return std::tolower(c); });
  const std::string folder = "/sys/bus/pci/devices/" + id + "/";
  return pcie_bytes_per_s(first_line(folder + "current_link_speed"), first_line(folder + "current_link_width"));
}

}  // namespace stepgate
