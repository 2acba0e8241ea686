// The launcher does not link the emulator, so it has the models' keys once more.
#include <gtest/gtest.h>

#include "emulator/machine/size_reads.h"
#include "emulator/model/device_model.h"
#include "launch/emulated_device.h"
#include "launch/replicate/values_refusal.h"

namespace stepgate::emulator {
namespace {

TEST(LauncherModels, AreThoseOfTheEmulator) {
  ASSERT_EQ(emulated_models.size(), device_models().size());
  for (std::size_t i = 0; i < emulated_models.size(); ++i) EXPECT_EQ(emulated_models[i], device_models()[i].key);
}

TEST(LauncherStatus, ForANeedOfValuesIsThatOfTheEmulator) {
  EXPECT_EQ(stepgate::values_needed_status, values_needed_status);
}

}  // namespace
}  // namespace stepgate::emulator
