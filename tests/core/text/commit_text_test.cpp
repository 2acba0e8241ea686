#include "core/text/commit_text.h"

#include <gtest/gtest.h>

namespace stepgate {
namespace {

TEST(CommitText, AnIdLosesItsLastDigits) {
  const std::string id = "4be1c0ffee12aaaabbbbccccddddeeeeffff0000";
  EXPECT_EQ(short_commit(id), "4be1c0ffee12");
  EXPECT_EQ(short_commit(id + "-dirty"), "4be1c0ffee12-dirty");
  EXPECT_EQ(short_commit("9f2c1ab"), "9f2c1ab");
}

TEST(CommitText, AnotherTextStays) {
  for (const char* text : {"", "main", "a tag of many letters", "4be1c0ffee12aaaa and more"}) {
    EXPECT_EQ(short_commit(text), text);
  }
}

TEST(CommitText, SevenDigitsNameACommit) {
  EXPECT_TRUE(names_commit("4be1c0f", "4be1c0ffee12"));
  EXPECT_FALSE(names_commit("4be1c0", "4be1c0ffee12"));
  EXPECT_FALSE(names_commit("4be1c0e", "4be1c0ffee12"));
  EXPECT_FALSE(names_commit("4be1c0ffee12", "4be1c0f"));
  EXPECT_TRUE(names_commit("main", "main"));
}

}  // namespace
}  // namespace stepgate
