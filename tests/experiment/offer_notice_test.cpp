#include "experiment/host/offer_notice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stepgate {
namespace {

using testing::HasSubstr;

std::vector<Gpu> two_gpus() {
  return {{.uuid = "GPU-1", .name = "Fake H200", .pci_bus_id = "00000000:3B:00.0", .mig = Mig::off},
          {.uuid = "GPU-2", .name = "Fake H200", .pci_bus_id = "00000000:4B:00.0", .mig = Mig::off}};
}

GpuOffer offer_with(const std::string& visible) {
  return offered_gpus(two_gpus(), {{"CUDA_VISIBLE_DEVICES", visible}});
}

TEST(OfferNotice, TheSettingNamesTheGpuAndWhatDecided) {
  EXPECT_EQ(gpu_setting(offer_with("1")), (EffectiveSetting{"gpu", "GPU-2", "CUDA_VISIBLE_DEVICES=1"}));
  EXPECT_EQ(gpu_setting(offered_gpus(two_gpus(), {})), (EffectiveSetting{"gpu", "GPU-1 and 1 more", "default"}));
  EXPECT_EQ(gpu_setting(offered_gpus(two_gpus(), {{"SLURM_JOB_GPUS", "1"}})),
            (EffectiveSetting{"gpu", "GPU-2", "SLURM_JOB_GPUS=1"}));
  EXPECT_EQ(gpu_setting(offer_with("")), (EffectiveSetting{"gpu", "none", "CUDA_VISIBLE_DEVICES="}));
  EXPECT_EQ(gpu_setting(offer_with("9")), (EffectiveSetting{"gpu", "none", "CUDA_VISIBLE_DEVICES=9"}));
  EXPECT_EQ(gpu_setting(GpuOffer{}), (EffectiveSetting{"gpu", "known after the first process", "default"}));
}

TEST(OfferNotice, AWrongOfferHasItsRemedy) {
  const auto notice = offer_notice(offer_with("9"));
  ASSERT_TRUE(notice);
  EXPECT_THAT(notice->text, HasSubstr("no case for CUDA can run: CUDA_VISIBLE_DEVICES=9: '9' names no GPU"));
  EXPECT_THAT(notice->next, HasSubstr("nvidia-smi -L"));
}

TEST(OfferNotice, WhatOnlyCudaKnowsIsSaid) {
  std::vector<Gpu> unlike = two_gpus();
  unlike[0].name = "Slow T4";
  const auto notice = offer_notice(offered_gpus(unlike, {}));
  ASSERT_TRUE(notice);
  EXPECT_THAT(notice->text, HasSubstr("which GPU is used is known after the first process: the GPUs of this machine"));
  EXPECT_THAT(notice->next, HasSubstr("UUID"));
}

TEST(OfferNotice, SaysNothingWhereAllIsPlain) {
  EXPECT_EQ(offer_notice(offer_with("1")), std::nullopt);
  EXPECT_EQ(offer_notice(offered_gpus(two_gpus(), {})), std::nullopt);
}

}  // namespace
}  // namespace stepgate
