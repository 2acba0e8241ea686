#include "measure/device/pcie_link.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

// Per lane and direction, PCI-SIG: 3.938 GB/s at 32 GT/s, 1.969 at 16, 0.985 at 8, 0.5 at 5.
TEST(PcieLink, ReadsTheRatesOfAllGenerations) {
  EXPECT_EQ(pcie_bytes_per_s("32.0 GT/s PCIe", "16"), 63'015'384'615);
  EXPECT_EQ(pcie_bytes_per_s("16.0 GT/s PCIe", "16"), 31'507'692'307);
  EXPECT_EQ(pcie_bytes_per_s("8.0 GT/s PCIe", "8"), 7'876'923'076);
  EXPECT_EQ(pcie_bytes_per_s("5.0 GT/s PCIe", "1"), 500'000'000);
}

TEST(PcieLink, IsAbsentWhereTheKernelDoesNotSay) {
  EXPECT_EQ(pcie_bytes_per_s("Unknown", "16"), std::nullopt);
  EXPECT_EQ(pcie_bytes_per_s("32.0 GT/s PCIe", ""), std::nullopt);
  EXPECT_EQ(pcie_bytes_per_s("32.0 GT/s PCIe", "0"), std::nullopt);
  EXPECT_EQ(pcie_bytes_per_s("32", "16"), std::nullopt);
  EXPECT_EQ(pcie_link_of("ffff:ff:1f.7"), std::nullopt);
}

}  // namespace
}  // namespace stepgate
