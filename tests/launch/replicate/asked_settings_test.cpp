#include "launch/replicate/asked_settings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/fake_program.h"

namespace stepgate {
namespace {

using testing::HasSubstr;

class AskedSettings : public testing::Test {
 protected:
  std::optional<ReplicateFailure> changed(const Fingerprint& facts, Group group = Group::exact) const {
    RunRecord record = valid_record(group, 0);
    for (const auto& [name, value] : facts) record.fingerprint[name] = value;
    return changed_setting(record, {.launch = launch_, .cpus = cpus_, .group = group}, knobs_);
  }

  void names(const Fingerprint& facts, const std::string& part, Group group = Group::exact) const {
    const auto failure = changed(facts, group);
    ASSERT_TRUE(failure) << part;
    EXPECT_EQ(failure->kind, FailureKind::changed_setting);
    EXPECT_THAT(failure->message, HasSubstr(part));
  }

  LaunchRequest launch_;
  CpuChoice cpus_;
  std::vector<KnobReport> knobs_ = {
      {.name = "affinity", .state = KnobState::achieved, .wanted = "0-1", .after = "0-1"},
      {.name = "priority", .state = KnobState::already, .wanted = "nice -10", .after = "nice -10"}};
};

TEST_F(AskedSettings, AProcessThatKeepsThemIsTaken) {
  EXPECT_FALSE(changed({{"threads", "1"},
                        {"interop_threads", "1"},
                        {"isa", "AVX2"},
                        {"onednn_isa", "AVX2"},
                        {"affinity", "0-1"},
                        {"priority", "nice -10"}}));
  EXPECT_FALSE(changed({{"threads", "1"}, {"isa", "AVX512"}, {"onednn_isa", "default"}}, Group::timed))
      << "no instruction set is asked for in the timed half";
  EXPECT_FALSE(changed({})) << "a program of another version records fewer facts";
}

TEST_F(AskedSettings, ThreadsAreThoseOfTheHalf) {
  launch_.plan.threads = 4;
  names({{"threads", "2"}}, "was asked for threads 1 and ended with 2: the program changed it");
  names({{"threads", "2"}}, "was asked for threads 4 and ended with 2", Group::timed);
  EXPECT_FALSE(changed({{"threads", "4"}}, Group::timed));
  names({{"interop_threads", "8"}}, "was asked for interop_threads 1 and ended with 8");
}

TEST_F(AskedSettings, AChangedPinIsOfTheProgramAndAnOlderCpuOfTheMachine) {
  names({{"isa", "AVX512"}, {"onednn_isa", "AVX2"}}, "was asked for isa AVX2 and ended with AVX512");
  names({{"isa", "AVX2"}, {"onednn_isa", "default"}}, "was asked for onednn_isa AVX2 and ended with default");
  EXPECT_FALSE(changed({{"isa", "DEFAULT"}, {"onednn_isa", "below AVX2"}}));
}

TEST_F(AskedSettings, TheWorkspaceOfCublasIsPinnedInTheExactHalfOfAGpu) {
  EXPECT_FALSE(changed({{"cublas_workspace", ":16:8"}})) << "on a CPU nothing is asked for";
  launch_.plan.device = Device::cuda;
  EXPECT_FALSE(changed({{"cublas_workspace", ":16:8"}}, Group::timed)) << "the user's own";
  EXPECT_FALSE(changed({{"cublas_workspace", ":4096:8"}}));
  names({{"cublas_workspace", ":16:8"}}, "was asked for cublas_workspace :4096:8 and ended with :16:8");
}

TEST_F(AskedSettings, OnlyWhatTheKernelHasGrantedWasChanged) {
  names({{"affinity", "0"}}, "was asked for affinity 0-1 and ended with 0", Group::timed);
  names({{"priority", "nice 0"}}, "was asked for priority nice -10 and ended with nice 0", Group::timed);
  knobs_[1].state = KnobState::denied;
  EXPECT_FALSE(changed({{"priority", "nice 0"}}, Group::timed));
}

}  // namespace
}  // namespace stepgate
