#include "system/deadline.h"

#include <gtest/gtest.h>
#include <stdlib.h>

namespace stepgate {
namespace {

class Deadline : public testing::Test {
 protected:
  ~Deadline() override { ::unsetenv(deadline_variable); }
  static std::optional<double> left_with(const std::string& value) {
    ::setenv(deadline_variable, value.c_str(), 1);
    return seconds_to_deadline();
  }
};

TEST_F(Deadline, IsReadAsItWasSet) {
  EXPECT_NEAR(left_with(deadline_value(300)).value(), 300, 5);
  EXPECT_LE(left_with(deadline_value(0)).value(), 0);
  EXPECT_GT(left_with(deadline_value(1e300)).value(), 1e8);
  EXPECT_EQ(deadline_value(1).size(), deadline_value(1e300).size()) << "the stack of each process begins alike";
}

TEST_F(Deadline, IsAbsentWhereNoLauncherSetOne) {
  ::unsetenv(deadline_variable);
  EXPECT_FALSE(seconds_to_deadline());
  for (const char* other : {"", "soon", "-1", "12x", "99999999999999999999999"})
    EXPECT_FALSE(left_with(other)) << other;
}

}  // namespace
}  // namespace stepgate
