// Energy of the CPU packages, as the kernel counts it below /sys/class/powercap.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace stepgate {

/// Reads the counters `energy_uj` of all packages. Each begins again at 0 beyond its `max_energy_range_uj`, after some
/// minutes under load; what lies between two readings is right as long as no counter begins again twice between them.
/// Most kernels let only root read them.
class PackageEnergy {
 public:
  explicit PackageEnergy(const std::filesystem::path& sysroot);

  /// Joules since the first call, of all packages together. Absent with reason().
  std::optional<double> read_j();
  /// Why the last call gave nothing, "" where it gave something.
  const std::string& reason() const { return reason_; }

 private:
  struct Package {
    std::filesystem::path counter;
    std::int64_t range_uj = 0;
    std::optional<std::int64_t> last_uj = {};
  };
  /// False, with a reason, where it cannot be read or went back.
  bool add(Package& package);

  std::vector<Package> packages_;
  double sum_uj_ = 0;
  std::string reason_;
};

}  // namespace stepgate
