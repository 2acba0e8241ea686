#include "environment/energy/package_energy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temporary_folder.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

/// The tree of a machine with packages and parts of them.
class Zones {
 public:
  void zone(const std::string& zone, const std::string& name, const std::string& range_uj = "1000000000") {
    folder_.write(path_of(zone) / "name", name + "\n");
    folder_.write(path_of(zone) / "max_energy_range_uj", range_uj + "\n");
  }
  void count(const std::string& zone, const std::string& energy_uj) {
    folder_.write(path_of(zone) / "energy_uj", energy_uj + "\n");
  }
  PackageEnergy energy() const { return PackageEnergy(folder_.path()); }

 private:
  static std::filesystem::path path_of(const std::string& zone) {
    return std::filesystem::path("sys/class/powercap") / zone;
  }
  TemporaryFolder folder_;
};

TEST(PackageEnergy, IsThatOfAllPackagesSinceTheFirstReading) {
  Zones zones;
  zones.zone("intel-rapl:0", "package-0");
  zones.zone("intel-rapl:1", "package-1");
  zones.zone("intel-rapl:0:0", "core");
  zones.zone("intel-rapl:2", "psys");
  zones.zone("intel-rapl-mmio:0", "package-0");
  for (const char* zone : {"intel-rapl:0:0", "intel-rapl:2", "intel-rapl-mmio:0"}) zones.count(zone, "999999999");
  zones.count("intel-rapl:0", "5000000");
  zones.count("intel-rapl:1", "1000000");
  PackageEnergy energy = zones.energy();
  EXPECT_EQ(energy.read_j(), 0);
  zones.count("intel-rapl:0", "7000000");
  zones.count("intel-rapl:1", "1500000");
  EXPECT_EQ(energy.read_j(), 2.5);
  EXPECT_EQ(energy.reason(), "");
}

TEST(PackageEnergy, ACounterThatBeginsAgainGoesOn) {
  Zones zones;
  zones.zone("intel-rapl:0", "package-0", "10000000");
  zones.count("intel-rapl:0", "9000000");
  PackageEnergy energy = zones.energy();
  EXPECT_EQ(energy.read_j(), 0);
  zones.count("intel-rapl:0", "2000000");
  EXPECT_EQ(energy.read_j(), 3);
  zones.count("intel-rapl:0", "1000000");
  EXPECT_EQ(energy.read_j(), 12) << "a second time";
}

TEST(PackageEnergy, ACounterWithoutARangeThatGoesBackSaysNothing) {
  Zones zones;
  zones.zone("intel-rapl:0", "package-0", "unknown");
  zones.count("intel-rapl:0", "9000000");
  PackageEnergy energy = zones.energy();
  EXPECT_EQ(energy.read_j(), 0);
  zones.count("intel-rapl:0", "2000000");
  EXPECT_EQ(energy.read_j(), std::nullopt);
  EXPECT_THAT(energy.reason(), HasSubstr("went back by more than its range"));
}

TEST(PackageEnergy, IsAbsentWithItsReason) {
  Zones none;
  none.zone("intel-rapl:0:0", "core");
  PackageEnergy without = none.energy();
  EXPECT_EQ(without.read_j(), std::nullopt);
  EXPECT_THAT(without.reason(), HasSubstr("shows no CPU package"));
  Zones unreadable;
  unreadable.zone("intel-rapl:0", "package-0");
  PackageEnergy closed = unreadable.energy();
  EXPECT_EQ(closed.read_j(), std::nullopt);
  EXPECT_THAT(closed.reason(), HasSubstr("energy_uj cannot be read"));
  unreadable.count("intel-rapl:0", "many");
  EXPECT_EQ(closed.read_j(), std::nullopt);
}

}  // namespace
}  // namespace stepgate
