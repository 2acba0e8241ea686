#include "core/text/source_text.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

TEST(SourceText, NamesLineAndFunctionAsFarAsTheyAreKnown) {
  EXPECT_EQ(source_text({"CharLm::forward", "language/char_lm.cpp", 61}), "language/char_lm.cpp:61 in CharLm::forward");
  EXPECT_EQ(source_text({"CharLm::forward", "language/char_lm.cpp", 0}), "language/char_lm.cpp in CharLm::forward");
  EXPECT_EQ(source_text({"", "language/char_lm.cpp", 61}), "language/char_lm.cpp:61");
  EXPECT_EQ(source_text({"CharLm::forward"}), "CharLm::forward");
  EXPECT_EQ(source_text({""}), "");
}

TEST(SourceText, ListsInTheGivenOrder) {
  EXPECT_EQ(source_list_text({{"f", "a.cpp", 1}, {"g"}}), "a.cpp:1 in f, g");
  EXPECT_EQ(source_list_text({}), "");
}

}  // namespace
}  // namespace stepgate
