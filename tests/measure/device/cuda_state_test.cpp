#include "measure/device/cuda_state.h"

#include <gmock/gmock.h>

#include <ostream>

namespace stepgate {
namespace {

using testing::AllOf;
using testing::HasSubstr;

CudaAnswer failed(int error, const char* name = "cudaErrorX", const char* text = "what the runtime says") {
  CudaAnswer answer;
  answer.error = error;
  answer.error_name = name;
  answer.error_text = text;
  answer.driver_version = 13000;
  answer.runtime_version = 13000;
  return answer;
}

CudaAnswer no_device() { return failed(100, "cudaErrorNoDevice", "no CUDA-capable device is detected"); }

CudaAnswer old_driver(int driver) {
  CudaAnswer answer = failed(35, "cudaErrorInsufficientDriver", "CUDA driver version is insufficient");
  answer.driver_version = driver;
  return answer;
}

TEST(CudaState, DevicesAreUsable) {
  CudaAnswer answer;
  answer.devices = 2;
  EXPECT_EQ(cuda_finding(answer).state, CudaState::usable);
  EXPECT_EQ(cuda_finding(answer).what, "");
}

TEST(CudaState, AMachineWithoutGpuOrDriverIsMissingOne) {
  EXPECT_EQ(cuda_finding(no_device()).state, CudaState::missing);
  EXPECT_THAT(cuda_finding(no_device()).what, HasSubstr("no CUDA-capable device is detected"));
  EXPECT_EQ(cuda_finding(old_driver(0)).state, CudaState::missing);
  EXPECT_THAT(cuda_finding(old_driver(0)).what, HasSubstr("no NVIDIA driver is installed here"));
  CudaAnswer container = old_driver(0);
  container.listed = {"0000:3b:00.0"};
  EXPECT_EQ(cuda_finding(container).state, CudaState::missing);
  EXPECT_THAT(cuda_finding(container).what, HasSubstr("although the kernel lists 0000:3b:00.0"));
  EXPECT_THAT(cuda_finding(container).remedy, HasSubstr("--gpus all"));
  EXPECT_EQ(cuda_finding(failed(34)).state, CudaState::missing) << "a stub is no driver";
}

TEST(CudaState, ADriverThatIsTooOldIsBroken) {
  const CudaFinding finding = cuda_finding(old_driver(12040));
  EXPECT_EQ(finding.state, CudaState::broken);
  EXPECT_THAT(finding.what, AllOf(HasSubstr("cudaErrorInsufficientDriver"), HasSubstr("CUDA 12.4 at most"),
                                  HasSubstr("built for CUDA 13.0")));
  EXPECT_THAT(finding.remedy, HasSubstr("update the driver"));
}

TEST(CudaState, VisibleDevicesThatNameNoneOfTheListedGpusAreBroken) {
  CudaAnswer answer = no_device();
  answer.listed = {"0000:3b:00.0", "0000:4b:00.0"};
  EXPECT_EQ(cuda_finding(answer).state, CudaState::missing) << "a container may have been given none";
  answer.visible = "7";
  EXPECT_EQ(cuda_finding(answer).state, CudaState::broken);
  EXPECT_THAT(cuda_finding(answer).what, AllOf(HasSubstr("0000:3b:00.0, 0000:4b:00.0"),
                                               HasSubstr("CUDA_VISIBLE_DEVICES='7'"), HasSubstr("cudaErrorNoDevice")));
  for (const char* none : {"", "-1", "NoDevFiles"}) {
    answer.visible = none;
    EXPECT_EQ(cuda_finding(answer).state, CudaState::missing) << none;
    EXPECT_THAT(cuda_finding(answer).what, HasSubstr("hides every GPU")) << none;
  }
  answer.visible = "7";
  answer.listed.clear();
  EXPECT_EQ(cuda_finding(answer).state, CudaState::missing);
}

struct BrokenCase {
  int error;
  const char* meaning;
};

void PrintTo(const BrokenCase& one, std::ostream* out) { *out << one.error; }  // part of the test's name

class BrokenGpu : public testing::TestWithParam<BrokenCase> {};

TEST_P(BrokenGpu, FailsWithTheTextOfTheRuntimeAndARemedy) {
  const CudaFinding finding = cuda_finding(failed(GetParam().error));
  EXPECT_EQ(finding.state, CudaState::broken);
  EXPECT_THAT(finding.what, AllOf(HasSubstr("cudaErrorX (what the runtime says)"), HasSubstr(GetParam().meaning)));
  EXPECT_NE(finding.remedy, "");
}

INSTANTIATE_TEST_SUITE_P(Errors, BrokenGpu,
                         testing::Values(BrokenCase{2, "no memory"}, BrokenCase{3, "does not initialise"},
                                         BrokenCase{46, "prohibited"}, BrokenCase{101, "CUDA_VISIBLE_DEVICES"},
                                         BrokenCase{127, "did not start"}, BrokenCase{201, "lost"},
                                         BrokenCase{214, "ECC"}, BrokenCase{304, "operating system"},
                                         BrokenCase{800, "may not use"}, BrokenCase{802, "fabric manager"},
                                         BrokenCase{803, "different versions"}, BrokenCase{804, "compatibility"},
                                         BrokenCase{807, "Multi-Process"}, BrokenCase{999, "does not say"},
                                         BrokenCase{12345, "CUDA does not work here"}));

}  // namespace
}  // namespace stepgate
