#include "environment/cpus/cpu_mask.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace stepgate {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Optional;

TEST(CpuMask, IsReadFromItsEnd) {
  EXPECT_THAT(cpu_list_from_mask("3"), Optional(ElementsAre(0, 1)));
  EXPECT_THAT(cpu_list_from_mask("a0"), Optional(ElementsAre(5, 7)));
  EXPECT_THAT(cpu_list_from_mask("1,80000001"), Optional(ElementsAre(0, 31, 32)));
  EXPECT_THAT(cpu_list_from_mask("00000000,00000000"), Optional(IsEmpty()));
}

TEST(CpuMask, RefusesWhatIsNone) {
  EXPECT_FALSE(cpu_list_from_mask(""));
  EXPECT_FALSE(cpu_list_from_mask(","));
  EXPECT_FALSE(cpu_list_from_mask("0x3"));
  EXPECT_FALSE(cpu_list_from_mask("0-3"));
  EXPECT_FALSE(cpu_list_from_mask("(null)"));
}

TEST(CpuMask, KeepsTheWidthOfTheMachine) {
  EXPECT_EQ(mask_of({0, 1, 6}, "ff"), "43");
  EXPECT_EQ(mask_of({0}, "3"), "1");
  EXPECT_EQ(mask_of({1, 40}, "ffff,ffffffff"), "0100,00000002");
  EXPECT_EQ(mask_of({0, 9}, "f"), "1") << "CPU 9 is not there";
}

}  // namespace
}  // namespace stepgate
