// Shards that a program of the user starts.
#include "launch/runners/program_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "core/error.h"
#include "support/temporary_folder.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

/// An engine that does what a test says; "$here" is its folder.
class ProgramEngine : public testing::Test {
 protected:
  fs::path engine(const std::string& body) const {
    const fs::path file = folder_.path() / "engine";
    std::ofstream(file) << "#!/bin/sh\nhere=" << folder_.path().string() << "\n" << body << "\n";
    fs::permissions(file, fs::perms::owner_all);
    return file;
  }
  TemporaryFolder folder_;
};

TEST_F(ProgramEngine, APollThatFailsEndsNoJob) {
  ProgramRunner runner(
      engine("echo >>$here/polls; [ $(wc -l <$here/polls) -gt 2 ] || exit 1; echo \"$2 running far\""));
  for (int poll = 0; poll < 2; ++poll) EXPECT_EQ(runner.poll({"7"}).at(0).state, NodeJobState::running);
  const NodeJob job = runner.poll({"7"}).at(0);
  EXPECT_EQ(job.state, NodeJobState::running);
  EXPECT_EQ(job.node, "far");
}

TEST_F(ProgramEngine, PollsThatGoOnFailingAreAnError) {
  ProgramRunner runner(engine("exit 1"));
  for (int poll = 1; poll < most_failed_polls; ++poll) runner.poll({"7"});
  try {
    runner.poll({"7"});
    FAIL() << "still patient";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("poll failed 30 times in a row"));
  }
}

TEST_F(ProgramEngine, JobsOfASubmissionThatIsRefusedAreCancelled) {
  ProgramRunner runner(engine("[ $1 = submit ] && echo 7 || echo \"$@\" >$here/cancelled"));
  EXPECT_THROW(runner.submit({.plan = folder_.path(), .shards = {1, 2}}), Error);
  EXPECT_EQ(text_of(folder_.path() / "cancelled"), "cancel 7\n");
}

TEST_F(ProgramEngine, NothingIsCancelledWhereNothingWasSubmitted) {
  ProgramRunner runner(engine("[ $1 = submit ] || echo \"$@\" >$here/cancelled"));
  EXPECT_THROW(runner.submit({.plan = folder_.path(), .shards = {1, 2}}), Error);
  EXPECT_FALSE(fs::exists(folder_.path() / "cancelled")) << "an engine may take no id for all of its jobs";
}

}  // namespace
}  // namespace stepgate
