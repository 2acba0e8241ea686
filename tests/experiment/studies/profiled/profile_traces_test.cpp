#include "experiment/studies/profiled/profile_traces.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "support/temporary_folder.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(ProfileTraces, AreTheCyclesThatFollowTheFirst) {
  const TemporaryFolder folder;
  const fs::path first = folder.path() / "profile-0.trace.json.gz";
  EXPECT_THAT(traces_of(first), IsEmpty());
  const fs::path second = folder.path() / "profile-0.trace-2.json.gz";
  for (const fs::path& file : {first, second, folder.path() / "profile-0.trace-4.json.gz"}) std::ofstream(file) << "x";
  EXPECT_THAT(traces_of(first), ElementsAre(first, second));
}

TEST(ProfileTraces, OfAnEarlierRunAreRemoved) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "profile-0.trace.json.gz") << "x";
  std::ofstream(folder.path() / "measurement.json") << "x";
  remove_older_traces(folder.path());
  remove_older_traces(folder.path() / "missing");
  EXPECT_FALSE(fs::exists(folder.path() / "profile-0.trace.json.gz"));
  EXPECT_TRUE(fs::exists(folder.path() / "measurement.json"));
}

}  // namespace
}  // namespace stepgate
