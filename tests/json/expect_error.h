// Runs a call that must throw Error, and returns the error for checks.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "core/error.h"

namespace stepgate {

template <typename Action>
std::optional<Error> error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    return error;
  }
  return std::nullopt;
}

/// Checks that the message holds every one of `parts`, that the kind is `kind`, and that there is a remedy.
template <typename Action>
void expect_error(Action action, ErrorKind kind, const std::vector<std::string>& parts) {
  const std::optional<Error> error = error_of(action);
  ASSERT_TRUE(error) << "nothing was thrown, expected: " << ::testing::PrintToString(parts);
  EXPECT_EQ(error->kind(), kind) << error->what();
  EXPECT_FALSE(error->remedy().empty()) << error->what();
  for (const std::string& part : parts) EXPECT_THAT(error->what(), ::testing::HasSubstr(part));
}

/// `text` with the first `from` replaced; fails the test if there is none.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << "not in the document: " << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

}  // namespace stepgate
