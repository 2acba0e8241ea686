#include "environment/gpu/gpu_facts.h"

#include <gtest/gtest.h>

#include "environment/gpu/fake_nvml.h"

namespace stepgate {
namespace {

Fingerprint facts_of(const std::vector<std::string>& uuids, const char* path = FakeNvml::path) {
  const NvmlLibrary library = NvmlLibrary::open(path);
  return gpu_facts(*library.get(), uuids);
}

TEST(GpuFacts, AreThoseOfTheDriver) {
  const FakeNvml fake;
  const Fingerprint expected = {{"gpu_power_limit_w", "700"},
                                {"gpu_ecc", "on"},
                                {"gpu_compute_mode", "exclusive process"},
                                {"gpu_mig", "off"},
                                {"gpu_pcie_link", "gen5 x16"}};
  EXPECT_EQ(facts_of({FakeNvml::uuid(0)}), expected) << "the link that the GPU can have, not that of an idle one";
}

TEST(GpuFacts, FollowTheDriver) {
  FakeNvml fake;
  fake.set("ECC", "0");
  fake.set("MIG", "1");
  fake.set("COMPUTE_MODE", "0");
  const Fingerprint facts = facts_of({FakeNvml::uuid(0)});
  EXPECT_EQ(facts.at("gpu_ecc"), "off");
  EXPECT_EQ(facts.at("gpu_mig"), "on");
  EXPECT_EQ(facts.at("gpu_compute_mode"), "default");
}

TEST(GpuFacts, AreMissingWhereTheDriverDoesNotTellThem) {
  FakeNvml fake;
  fake.set("FAIL", "nvmlDeviceGetEccMode=3 nvmlDeviceGetMaxPcieLinkWidth=999 nvmlDeviceGetMigMode=999");
  const Fingerprint facts = facts_of({FakeNvml::uuid(0)});
  EXPECT_EQ(facts.size(), 2U);
  EXPECT_EQ(facts.count("gpu_ecc") + facts.count("gpu_pcie_link") + facts.count("gpu_mig"), 0U);
  EXPECT_TRUE(facts_of({FakeNvml::uuid(3)}).empty()) << "no such GPU";
  EXPECT_TRUE(facts_of({}).empty());
}

TEST(GpuFacts, OfGpusThatDifferAreJoined) {
  FakeNvml fake;
  fake.set("GPUS", "2");
  EXPECT_EQ(facts_of({FakeNvml::uuid(0), FakeNvml::uuid(1)}).at("gpu_power_limit_w"), "700");
  fake.set("POWER_LIMIT_MW", "700000,350000");
  EXPECT_EQ(facts_of({FakeNvml::uuid(0), FakeNvml::uuid(1)}).at("gpu_power_limit_w"), "700;350");
}

}  // namespace
}  // namespace stepgate
