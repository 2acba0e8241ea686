// Nodes that are parts of this machine.
#include "launch/runners/local_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "core/error.h"
#include "support/fake_program.h"
#include "support/temporary_folder.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

TEST(LocalNodes, DivideTheCoresAndNoCoreIsShared) {
  const std::string four_cores = "core:4 pu:2";
  const auto two = local_nodes({0, 1, 2, 3, 4, 5, 6, 7}, 2, four_cores);
  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(text_of(two[0].cpus), "0-3");
  EXPECT_EQ(text_of(two[1].cpus), "4-7");
  const auto three = local_nodes({0, 1, 2, 3, 4, 5, 6, 7}, 3, four_cores);
  for (const LocalNode& node : three) EXPECT_GE(node.cpus.size(), 2u);
  EXPECT_EQ(text_of(local_nodes({2, 6}, 2, four_cores)[1].cpus), "6") << "only CPUs that may be used";
  EXPECT_THROW(local_nodes({0, 1}, 2, four_cores), Error) << "one core, and two nodes";
}

/// A launcher that does what a test says.
class LocalShards : public testing::Test {
 protected:
  fs::path launcher(const std::string& body) const {
    const fs::path file = folder_.path() / "launcher";
    std::ofstream(file) << "#!/bin/sh\n" << body << "\n";
    fs::permissions(file, fs::perms::owner_all);
    return file;
  }
  static bool ends(LocalRunner& runner, const std::string& id) {
    for (int i = 0; i < 200; ++i) {
      if (runner.poll({id}).at(0).state == NodeJobState::ended) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }
  std::string log(const std::string& name) const { return text_of(folder_.path() / "log" / name); }
  NodeSubmission shards(std::vector<std::int64_t> numbers, std::int64_t attempt = 0) const {
    return {
        .plan = folder_.path(), .shards = std::move(numbers), .attempt = attempt, .options = {"--guard", "process"}};
  }
  TemporaryFolder folder_;
};

TEST_F(LocalShards, RunTheCommandWithALockOfTheirOwn) {
  LocalRunner runner(launcher("echo \"$@\"; echo $STEPGATE_RUN_LOCK"), {{allowed_cpus()}, {allowed_cpus()}});
  const auto ids = runner.submit(shards({1, 2}));
  for (const std::string& id : ids) EXPECT_TRUE(ends(runner, id));
  EXPECT_THAT(log("01.0.txt"), HasSubstr("shard run " + folder_.path().string() + " 1 --attempt 0 --guard process"));
  EXPECT_THAT(log("01.0.txt"), HasSubstr("local1.lock"));
  EXPECT_THAT(log("02.0.txt"), HasSubstr("local2.lock"));
}

/// Opening a FIFO waits for its reader.
TEST_F(LocalShards, WriteTheirLogInThePlaceOfWhateverStandsThere) {
  const std::string outside = folder_.write("outside", "untouched").string();
  fs::create_directory(folder_.path() / "log");
  ASSERT_EQ(::mkfifo((folder_.path() / "log/01.0.txt").c_str(), 0600), 0);
  fs::create_symlink(outside, folder_.path() / "log/02.0.txt");
  LocalRunner runner(launcher("echo ran"), {{allowed_cpus()}});
  ::alarm(60);  // red, and not stuck
  const auto ids = runner.submit(shards({1, 2}));
  ::alarm(0);
  for (const std::string& id : ids) EXPECT_TRUE(ends(runner, id));
  EXPECT_EQ(log("01.0.txt"), "ran\n");
  EXPECT_EQ(log("02.0.txt"), "ran\n");
  EXPECT_EQ(text_of(fs::path(outside)), "untouched");
}

TEST_F(LocalShards, AnAttemptAfterALossRunsOnAnotherNode) {
  LocalRunner runner(launcher("true"), {{allowed_cpus()}, {allowed_cpus()}});
  const auto first = runner.submit(shards({1}));
  const auto second = runner.submit(shards({1}, 1));
  EXPECT_NE(runner.poll(first).at(0).node, runner.poll(second).at(0).node);
}

TEST_F(LocalShards, ACancelledShardMayFinishWhatItHolds) {
  LocalRunner runner(launcher("trap 'echo handed back; exit 0' TERM; echo ready; sleep 30 & wait"), {{allowed_cpus()}});
  const auto ids = runner.submit(shards({1}));
  for (int i = 0; i < 200 && log("01.0.txt").empty(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_EQ(runner.poll(ids).at(0).state, NodeJobState::running);
  runner.cancel(ids);
  EXPECT_EQ(runner.poll(ids).at(0).state, NodeJobState::ended);
  EXPECT_THAT(log("01.0.txt"), HasSubstr("handed back"));
}

}  // namespace
}  // namespace stepgate
