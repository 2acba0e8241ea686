#include "environment/facts/gpu_hindrances.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "environment/fake_root.h"

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::int64_t mebibyte = std::int64_t{1} << 20;

GpuSurroundings two_gpus() {
  return {.listed = 2,
          .offered = 2,
          .driver = "580.65.06",
          .shared_bytes = 1024 * mebibyte,
          .profiling_is_restricted = true,
          .is_administrator = true};
}

TEST(GpuHindrances, AGoodMachineAndOneWithoutAGpuHaveNone) {
  EXPECT_THAT(gpu_hindrances(two_gpus()), IsEmpty());
  EXPECT_THAT(gpu_hindrances({.driver = "470.1", .shared_bytes = 0, .profiling_is_restricted = true}), IsEmpty());
}

TEST(GpuHindrances, AContainerWithoutTheGpuOfItsHost) {
  EXPECT_THAT(gpu_hindrances({.listed = 2, .driver = "470.1"}),
              ElementsAre(HasSubstr("lists 2 GPUs and there is no /dev/nvidia0: start the container with --gpus all")));
}

TEST(GpuHindrances, ADriverThatIsTooOldForCuda13) {
  GpuSurroundings place = two_gpus();
  place.driver = "570.86.15";
  EXPECT_THAT(gpu_hindrances(place), ElementsAre(HasSubstr("570.86.15 is older than R580")));
  place.driver = "";
  EXPECT_THAT(gpu_hindrances(place), IsEmpty()) << "what could not be read is not called old";
}

TEST(GpuHindrances, SharedMemoryForSeveralRanks) {
  GpuSurroundings place = two_gpus();
  place.shared_bytes = 64 * mebibyte;
  EXPECT_THAT(gpu_hindrances(place), ElementsAre(HasSubstr("/dev/shm has 64 MiB")));
  place.shared_bytes = std::nullopt;
  EXPECT_THAT(gpu_hindrances(place), ElementsAre(HasSubstr("--shm-size=1g")));
  place.offered = 1;
  EXPECT_THAT(gpu_hindrances(place), IsEmpty());
}

TEST(GpuHindrances, ProfilingThatOnlyAdministratorsMay) {
  GpuSurroundings place = two_gpus();
  place.is_administrator = false;
  EXPECT_THAT(gpu_hindrances(place), ElementsAre(HasSubstr("NVreg_RestrictProfilingToAdminUsers=0")));
  place.profiling_is_restricted = false;
  EXPECT_THAT(gpu_hindrances(place), IsEmpty());
}

TEST(GpuHindrances, AreReadFromTheKernelsFiles) {
  const FakeRoot root;
  EXPECT_EQ(read_gpu_surroundings(root.path(), {}).listed, 0U);
  EXPECT_FALSE(read_gpu_surroundings(root.path(), {}).shared_bytes);
  root.write("proc/driver/nvidia/gpus/0000:17:00.0/information", "Model: H100\n");
  root.write("proc/driver/nvidia/params", "RmNvlinkBandwidth: \nRmProfilingAdminOnly: 1\n");
  root.write("proc/self/status", "Name:\tx\nCapEff:\t00000000a82425fb\n");
  for (const char* name : {"dev/nvidia0", "dev/nvidia12", "dev/nvidiactl", "dev/nvidia-uvm", "dev/shm/file"}) {
    root.write(name, "");
  }
  const GpuSurroundings place = read_gpu_surroundings(root.path(), {{"gpu_driver", "580.65.06"}});
  EXPECT_EQ(place.listed, 1U);
  EXPECT_EQ(place.offered, 2U);
  EXPECT_EQ(place.driver, "580.65.06");
  EXPECT_TRUE(place.shared_bytes);
  EXPECT_TRUE(place.profiling_is_restricted);
  EXPECT_TRUE(place.is_administrator);
  root.write("proc/self/status", "CapEff:\t00000000a80425fb\n");
  EXPECT_FALSE(read_gpu_surroundings(root.path(), {}).is_administrator);
}

}  // namespace
}  // namespace stepgate
