// A fixture whose tests must leave no child process behind.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cerrno>

namespace stepgate {

class NoChildLeft : public testing::Test {
 protected:
  ~NoChildLeft() override {
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a child was left behind";
    EXPECT_EQ(errno, ECHILD);
  }
};

}  // namespace stepgate
