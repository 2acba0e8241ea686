#include "launch/measure_alternating.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cerrno>

#include "environment/host_files/pseudo_file.h"
#include "support/fake_program.h"

namespace stepgate {
namespace {

/// Leaves a process in a session of its own behind, before it writes its record.
constexpr const char* leaves_a_daemon =
    R"((setsid sh -c "echo \$\$ > '$here/pid'; exec sleep 60" &); while ! test -s "$here/pid"; do sleep 0.01; done; good)";

TEST(MeasureAlternating, EndsWhatBothProcessesLeaveBehind) {
  const FakeProgram first(leaves_a_daemon);
  const FakeProgram second(leaves_a_daemon);
  const MeasuredAlternating measured =
      measure_alternating(first.request({Group::timed}), second.request({Group::timed}), {});
  for (const Measurement* one : {&measured.first, &measured.second}) {
    ASSERT_EQ(one->replicates.size(), 1U);
    EXPECT_FALSE(one->replicates[0].failure) << one->replicates[0].failure->message;
  }
  for (const FakeProgram* program : {&first, &second}) {
    const auto pid = integer_from(program->text_of("pid"));
    ASSERT_TRUE(pid);
    EXPECT_TRUE(is_gone(static_cast<pid_t>(*pid)));
  }
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a child was left behind";
  EXPECT_EQ(errno, ECHILD);
}

}  // namespace
}  // namespace stepgate
