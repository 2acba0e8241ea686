#include "launch/measure_alternating.h"

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cerrno>

#include "support/fake_program.h"
#include "system/files/pseudo_file.h"

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

/// A daemon that has worked before the process writes its record.
constexpr const char* leaves_a_busy_daemon =
    R"((setsid sh -c "i=0; while [ \$i -lt 200000 ]; do i=\$((i+1)); done; echo 1 > '$here/done'; exec sleep 60" &); while ! test -s "$here/done"; do sleep 0.01; done; good)";

TEST(MeasureAlternating, WhatTheyLeftBehindWorkedInTheWindowsOfBoth) {
  const FakeProgram idle("good");
  const FakeProgram busy(leaves_a_busy_daemon);
  const MeasuredAlternating measured =
      measure_alternating(idle.request({Group::timed}), busy.request({Group::timed}), {});
  ASSERT_EQ(measured.first.replicates.size(), 1U);
  ASSERT_EQ(measured.second.replicates.size(), 1U);
  const double fraction = measured.first.replicates[0].evidence.values.at(EvidenceKey::waiting_cpu_fraction);
  EXPECT_GT(fraction, 0.01);
  EXPECT_EQ(measured.second.replicates[0].evidence.values.at(EvidenceKey::waiting_cpu_fraction), fraction);
}

}  // namespace
}  // namespace stepgate
