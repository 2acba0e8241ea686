#include "emulator/machine/output_path.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include "support/temporary_folder.h"

namespace stepgate::emulator {
namespace {

TEST(OutputPath, EachRankHasItsOwn) {
  EXPECT_EQ(output_path("/folder/log", "0"), "/folder/log.rank0");
  EXPECT_EQ(output_path("/folder/log", "12"), "/folder/log.rank12");
  EXPECT_EQ(output_path("", "1"), "") << "nothing is written";
}

TEST(OutputPath, WhatIsNoRankIsNone) {
  const TemporaryFolder folder;
  int number = 0;
  for (const char* rank : {"", "-1", "../1", "1 ", "1234567890"}) {
    const std::string path = (folder.path() / ("log" + std::to_string(++number))).string();
    EXPECT_EQ(output_path(path, rank), path) << rank;
  }
}

TEST(OutputPath, AFileThatAnotherProcessHasIsLeftToIt) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "log").string();
  const int other = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_GE(other, 0);
  ASSERT_EQ(::flock(other, LOCK_EX | LOCK_NB), 0);
  EXPECT_EQ(output_path(path, ""), path + "." + std::to_string(::getpid()));
  ::close(other);
  EXPECT_EQ(output_path(path, ""), path);
}

TEST(OutputPath, AFileThatCannotBeOpenedKeepsItsName) {
  EXPECT_EQ(output_path("/nonexistent/log", ""), "/nonexistent/log");
}

}  // namespace
}  // namespace stepgate::emulator
