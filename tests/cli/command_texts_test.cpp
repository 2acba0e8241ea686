#include "cli/command_texts.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

TEST(CommandTexts, QuoteOnlyWhatTheShellWouldRead) {
  EXPECT_EQ(shell_word("build/release-1/baselines"), "build/release-1/baselines");
  EXPECT_EQ(shell_word("/home/a user/base lines"), "'/home/a user/base lines'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word("$(reboot)"), "'$(reboot)'");
  EXPECT_EQ(shell_word(""), "''");
}

}  // namespace
}  // namespace stepgate
