#include "environment/energy/package_energy.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <system_error>

#include "system/files/pseudo_file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

constexpr const char* folder_of_zones = "sys/class/powercap";

/// "intel-rapl:0" of a package, on AMD too; "intel-rapl:0:1" is a part of it, and other drivers have other prefixes.
bool is_top_zone(std::string_view name) {
  constexpr std::string_view prefix = "intel-rapl:";
  if (!name.starts_with(prefix) || name.size() == prefix.size()) return false;
  const std::string_view number = name.substr(prefix.size());
  return std::all_of(number.begin(), number.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
}

}  // namespace

PackageEnergy::PackageEnergy(const fs::path& sysroot) {
  std::error_code error;
  const fs::path folder = sysroot / folder_of_zones;
  for (fs::directory_iterator zone(folder, error), end; !error && zone != end; zone.increment(error)) {
    const fs::path path = zone->path();
    const auto name = read_pseudo_file(path / "name");
    if (!is_top_zone(path.filename().string()) || !name || !name->starts_with("package")) continue;
    packages_.push_back(
        {.counter = path / "energy_uj", .range_uj = read_pseudo_number(path / "max_energy_range_uj").value_or(0)});
  }
}

bool PackageEnergy::add(Package& package) {
  const auto now_uj = read_pseudo_number(package.counter);
  if (!now_uj) {
    reason_ = fmt::format("{} cannot be read: most kernels let only root read it", package.counter.string());
    return false;
  }
  const std::int64_t before_uj = package.last_uj.value_or(*now_uj);
  std::int64_t used_uj = *now_uj - before_uj;
  if (used_uj < 0) used_uj += package.range_uj;
  package.last_uj = now_uj;
  if (used_uj < 0) {
    reason_ = fmt::format("{} went back by more than its range", package.counter.string());
    return false;
  }
  sum_uj_ += static_cast<double>(used_uj);
  return true;
}

std::optional<double> PackageEnergy::read_j() {
  constexpr double uj_per_j = 1e6;
  reason_ = packages_.empty() ? fmt::format("this machine shows no CPU package below /{}", folder_of_zones) : "";
  for (Package& package : packages_) {
    if (!add(package)) break;
  }
  return reason_.empty() ? std::optional(sum_uj_ / uj_per_j) : std::nullopt;
}

}  // namespace stepgate
