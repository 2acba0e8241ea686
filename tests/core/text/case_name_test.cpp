#include "core/text/case_name.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

TEST(CaseName, HasTwoPartsOrMore) {
  for (const char* name : {"a/b", "language/char_lm/tiny", "vision/mlp_2/x/y"}) EXPECT_TRUE(is_case_name(name)) << name;
}

TEST(CaseName, CannotLeaveItsFolder) {
  for (const char* name :
       {"", "a", "/", "a/", "/a/b", "a//b", "../..", "a/../b", "a/.", "A/b", "a b/c", "a/b\n", "a/b;c"})
    EXPECT_FALSE(is_case_name(name)) << name;
}

}  // namespace
}  // namespace stepgate
