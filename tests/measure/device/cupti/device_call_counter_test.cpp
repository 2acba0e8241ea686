#include "measure/device/cupti/device_call_counter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "measure/device/cupti/call_table.h"
#include "measure/device/cupti/fake_cupti.h"

namespace stepgate {
namespace {

using cupti::DeviceCallCounter;
using test::FakeCuda;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

class OperatorsOnly final : public WorkCounter {
 public:
  void start() override { calls_ = 0; }
  void stop() override {}
  WorkTotals totals() override {
    return {.operators = {{"aten::mm", ++calls_}}, .worker_operators = {}, .counters = {}};
  }

 private:
  std::int64_t calls_ = 0;
};

TEST(DeviceCallCounter, StandsBesideTheOtherCounts) {
  const FakeCuda cuda;
  DeviceCallCounter counter(std::make_unique<OperatorsOnly>(), cuda.library());
  counter.start();
  EXPECT_EQ(counter.totals().counters.at("device_syncs_per_step"), 0) << "an entry in all totals or in none";
  cuda.call("cudaLaunchKernel_v7000");
  cuda.call("cudaDeviceSynchronize_v3020");
  cuda.call("cudaGetDevice_v3020");
  const WorkTotals totals = counter.totals();
  EXPECT_EQ(totals.operators.at("aten::mm"), 2);
  EXPECT_EQ(totals.counters.at("kernels_per_step"), 1);
  EXPECT_EQ(totals.counters.at("device_syncs_per_step"), 1);
  EXPECT_THAT(totals.device_calls.at("device_syncs_per_step"), ElementsAre(Pair("cudaDeviceSynchronize", 1)));
  EXPECT_THAT(totals.device_calls.at("other"), ElementsAre(Pair("cudaGetDevice", 1)));
  EXPECT_TRUE(counter.absent().empty());
  counter.stop();
  EXPECT_FALSE(cuda.subscribed());
}

TEST(DeviceCallCounter, TellsOfLaunches) {
  const FakeCuda cuda;
  cuda.symbol("volta_sgemm_64x64_nn");
  DeviceCallCounter counter(std::make_unique<OperatorsOnly>(), cuda.library());
  std::vector<std::string> kernels;
  EXPECT_TRUE(counter.tell_launches([&](std::string_view kernel) { kernels.emplace_back(kernel); }));
  counter.start();
  cuda.call("cudaLaunchKernel_v7000");
  EXPECT_THAT(kernels, ElementsAre("volta_sgemm_64x64_nn"));
}

TEST(DeviceCallCounter, WhatCuptiRefusesIsAbsentAndNever0) {
  const FakeCuda cuda;
  const auto library = cuda.library();
  for (const char* failure : {"cuptiSubscribe=39", "cuptiEnableDomain=35", "cuptiSubscribe=999"}) {
    FakeCuda::fail(failure);
    DeviceCallCounter counter(std::make_unique<OperatorsOnly>(), library);
    counter.start();
    cuda.call("cudaLaunchKernel_v7000");
    EXPECT_TRUE(counter.totals().counters.empty());
    EXPECT_EQ(counter.totals().operators.size(), 1U) << "the others go on";
    for (const std::string_view metric : cupti::counted_metrics()) {
      EXPECT_THAT(counter.absent().at(std::string(metric)), HasSubstr("cupti"));
    }
  }
  DeviceCallCounter without(std::make_unique<OperatorsOnly>(), cupti::open_library("/nowhere/libcupti.so"));
  without.start();
  EXPECT_THAT(without.absent().at("kernels_per_step"), HasSubstr("was not found"));
  EXPECT_TRUE(without.totals().counters.empty());
}

}  // namespace
}  // namespace stepgate
