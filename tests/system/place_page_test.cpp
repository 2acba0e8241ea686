#include "system/place_page.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>

namespace stepgate {
namespace {

class PlacePageTest : public testing::Test {
 protected:
  ~PlacePageTest() override { ::unsetenv(place_variable); }

  static void set(const std::string& value) { ::setenv(place_variable, value.c_str(), 1); }

  PlacePage page;
};

TEST_F(PlacePageTest, ShowsWhereAProcessWasThatCrashed) {
  set(page.value());
  const pid_t pid = ::fork();
  if (pid == 0) {
    const auto place = shared_place(place_descriptor(), 1);
    if (!place) ::_exit(9);
    place->enter_pass("counts");
    place->step.step = 5;
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(pid, &status, 0), pid);
  ASSERT_TRUE(WIFSIGNALED(status));
  const std::vector<ProcessPlace> places = page.places();
  ASSERT_EQ(places.size(), most_places);
  EXPECT_EQ(text_of(places[0]), "");
  EXPECT_EQ(text_of(places[1]), "in pass counts, after step 4");
  EXPECT_EQ(text_of_place(page.number(), 1), text_of(places[1]));
}

TEST_F(PlacePageTest, HasAValueOfOneLength) {
  const PlacePage other;
  EXPECT_EQ(page.value().size(), other.value().size());
  EXPECT_EQ(page.value().size(), 6U);
}

TEST_F(PlacePageTest, HasRoomForItsRanksOnly) {
  EXPECT_EQ(shared_place(page.number(), static_cast<std::int64_t>(most_places)), nullptr);
  EXPECT_EQ(shared_place(page.number(), -1), nullptr);
  EXPECT_EQ(shared_place(-1, 0), nullptr);
  EXPECT_EQ(text_of_place(page.number(), 99), "");
}

TEST_F(PlacePageTest, OutlivesTheDescriptorThatItWasMappedWith) {
  const int copy = ::fcntl(page.number(), F_DUPFD_CLOEXEC, 3);
  const auto place = shared_place(copy, 0);
  ::close(copy);
  ASSERT_TRUE(place);
  place->stage = RunStage::after_passes;
  EXPECT_EQ(text_of(page.places()[0]), "after its last pass");
}

// A program of another version, and a variable that the user set, must not lead to a foreign file.
TEST_F(PlacePageTest, LeavesOtherFilesAlone) {
  for (const char* value : {"", "x", "-1", "999999", "000000", "7x"}) {
    set(value);
    EXPECT_EQ(place_descriptor(), -1) << value;
  }
  ::unsetenv(place_variable);
  EXPECT_EQ(place_descriptor(), -1);

  Descriptor same_size(::memfd_create("other", MFD_CLOEXEC));
  ASSERT_EQ(::ftruncate(same_size.number(), sizeof(PlacePageLayout)), 0);
  set(std::to_string(same_size.number()));
  EXPECT_EQ(place_descriptor(), -1) << "it could shrink under the process";

  const std::uint64_t other_mark = place_page_mark + 1;
  ASSERT_EQ(::pwrite(page.number(), &other_mark, sizeof other_mark, 0), static_cast<ssize_t>(sizeof other_mark));
  set(page.value());
  EXPECT_EQ(place_descriptor(), -1) << "another layout";
}

TEST_F(PlacePageTest, IsFoundByItsNumber) {
  set(page.value());
  EXPECT_EQ(place_descriptor(), page.number());
}

}  // namespace
}  // namespace stepgate
