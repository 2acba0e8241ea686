#include "system/command_output.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace stepgate
