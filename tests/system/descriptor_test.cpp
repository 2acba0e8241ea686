#include "system/descriptor.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace stepgate {
namespace {

TEST(Uninterrupted, CallsAgainAfterASignalOnly) {
  int calls = 0;
  const auto interrupted_twice = [&] {
    errno = EINTR;
    return ++calls < 3 ? -1 : 7;
  };
  EXPECT_EQ(uninterrupted(interrupted_twice), 7);
  EXPECT_EQ(calls, 3);
  calls = 0;
  const auto full = [&] {
    ++calls;
    errno = ENOSPC;
    return -1;
  };
  EXPECT_EQ(uninterrupted(full), -1);
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace stepgate
