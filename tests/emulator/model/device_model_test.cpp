#include "emulator/model/device_model.h"

#include <gtest/gtest.h>

#include <string>

#include "emulator/memory/device_memory.h"
#include "emulator/model/cost_model.h"

namespace stepgate::emulator {
namespace {

TEST(DeviceModels, TheListOfKeysNamesEachModelInOrder) {
  std::string keys;
  for (const DeviceModel& model : device_models()) keys += (keys.empty() ? "" : ", ") + std::string(model.key);
  EXPECT_EQ(keys, device_model_keys());
}

TEST(DeviceModels, AreFoundByTheirKeyOnly) {
  ASSERT_NE(find_device_model("a100"), nullptr);
  EXPECT_EQ(find_device_model("a100")->name, "NVIDIA A100-SXM4-80GB");
  EXPECT_EQ(find_device_model("A100"), nullptr);
  EXPECT_EQ(find_device_model(""), nullptr);
}

TEST(DeviceModels, HaveTheMemoryOfRealTraces) {
  EXPECT_EQ(find_device_model("h100")->memory_bytes, 85'018'279'936U);
  EXPECT_EQ(find_device_model("a100")->memory_bytes, 84'990'623'744U);
}

TEST(DeviceModels, EachPropertyIsPossible) {
  for (const DeviceModel& model : device_models()) {
    SCOPED_TRACE(model.key);
    EXPECT_GE(model.major, 7);
    EXPECT_GT(model.memory_bytes, context_bytes);
    EXPECT_GT(model.multiprocessors, 0);
    EXPECT_EQ(model.threads_per_multiprocessor % 32, 0);
    EXPECT_LE(model.shared_bytes_per_block_optin + model.reserved_shared_bytes_per_block,
              model.shared_bytes_per_multiprocessor);
    EXPECT_LE(model.persisting_l2_bytes, model.l2_bytes);
    EXPECT_GE(model.copy_engines, 1);
    EXPECT_EQ(model.cluster_launch, model.major >= 9);
    for (const double rate : {model.bytes_per_ns, model.flops_per_ns, model.pinned_bytes_per_ns,
                              model.pageable_bytes_per_ns, model.peer_bytes_per_ns}) {
      EXPECT_GT(rate, 0);
    }
    EXPECT_GT(model.pinned_bytes_per_ns, model.pageable_bytes_per_ns);
  }
}

TEST(CostModel, AnOperationTakesAtLeastALaunch) {
  const DeviceModel& model = *find_device_model("h100");
  EXPECT_EQ(kernel_ns(model, 0), least_operation_ns);
  EXPECT_EQ(memset_ns(model, 0), least_operation_ns);
  EXPECT_EQ(product_ns(model, 0, 0), least_operation_ns);
}

TEST(CostModel, ACopyTakesWhatItsLinkTakes) {
  const DeviceModel& model = *find_device_model("h100");
  constexpr std::uint64_t bytes = 55'000'000;
  EXPECT_EQ(copy_ns(model, CopyDirection::host_to_device, bytes, false), least_operation_ns + 1'000'000);
  EXPECT_GT(copy_ns(model, CopyDirection::host_to_device, bytes, true),
            copy_ns(model, CopyDirection::host_to_device, bytes, false));
  EXPECT_LT(copy_ns(model, CopyDirection::device_to_device, bytes, false),
            copy_ns(model, CopyDirection::peer, bytes, false));
}

TEST(CostModel, AProductTakesTheLongerOfComputingAndMoving) {
  const DeviceModel& model = *find_device_model("a100");
  EXPECT_EQ(product_ns(model, 1e9, 1e9), product_ns(model, 0, 1e9));
  EXPECT_GT(product_ns(model, 1e12, 1e6), product_ns(model, 0, 1e6));
}

TEST(CostModel, CyclesTakeAsLongAsTheClockSays) {
  const DeviceModel& model = *find_device_model("h100");
  EXPECT_EQ(cycles_ns(model, 1'980'000), 1'000'000);
  EXPECT_EQ(cycles_ns(model, -5), 0);
}

}  // namespace
}  // namespace stepgate::emulator
