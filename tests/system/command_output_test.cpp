#include "system/command_output.h"

#include <gtest/gtest.h>

#include <chrono>

#include "system/elapsed.h"

namespace stepgate {
namespace {

TEST(CommandOutput, IsWhatTheCommandPrints) {
  EXPECT_EQ(command_output({"printf", "%s\\n%s", "one two", "it's"}), "one two\nit's");
}

TEST(CommandOutput, LeavesErrorsOut) { EXPECT_EQ(command_output({"sh", "-c", "echo out; echo err >&2"}), "out\n"); }

TEST(CommandOutput, HoldsMoreThanAPipeDoes) {
  EXPECT_EQ(command_output({"head", "-c", "300000", "/dev/zero"}).size(), 300000U);
}

TEST(CommandOutput, IsEmptyWhereTheCommandIsMissing) { EXPECT_EQ(command_output({"no-such-command-here"}), ""); }

// As a file system monitor that git starts.
TEST(CommandOutput, DoesNotWaitForWhatTheCommandLeavesBehind) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(command_output({"sh", "-c", "sleep 20 & echo done"}), "done\n");
  EXPECT_LT(seconds_since(start), 10);
}

TEST(CommandOutput, ReadsAMebibyteAtMost) {
  EXPECT_LT(command_output({"sh", "-c", "yes | head -c 100000000"}).size(), 1'100'000U);
}

}  // namespace
}  // namespace stepgate
