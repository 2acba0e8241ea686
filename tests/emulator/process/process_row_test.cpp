#include "emulator/process/process_row.h"

#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace stepgate::emulator {
namespace {

TEST(ProcessRow, TellsParentAndNameWhateverTheNameHolds) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::prctl(PR_SET_NAME, ") S 1 (");
    ::_exit(0);
  }
  siginfo_t ended{};
  ::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT);
  const std::optional<ProcessRow> row = process_row(child);
  ASSERT_TRUE(row);
  EXPECT_EQ(row->pid, child);
  EXPECT_EQ(row->parent, ::getpid());
  EXPECT_EQ(row->program, ") S 1 (");
  EXPECT_TRUE(row->has_ended) << "nobody has waited for it";
  ::waitpid(child, nullptr, 0);
  EXPECT_FALSE(process_row(child));
}

TEST(ProcessRow, OneThatRunsHasNotEnded) {
  const std::optional<ProcessRow> row = process_row(::getpid());
  ASSERT_TRUE(row);
  EXPECT_EQ(row->parent, ::getppid());
  EXPECT_FALSE(row->has_ended);
}

}  // namespace
}  // namespace stepgate::emulator
