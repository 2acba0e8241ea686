// Comparison with an approved file below tests/golden. ci/approve_goldens runs the tests with STEPGATE_APPROVE=1; the
// comparison then writes the file, and `git diff` shows the changes.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "test_paths.h"

namespace stepgate {

inline std::filesystem::path golden_path(const std::string& name) {
  return std::filesystem::path(STEPGATE_GOLDEN_DIR) / name;
}

inline bool approving() {
  const char* value = std::getenv("STEPGATE_APPROVE");
  return value != nullptr && std::string(value) == "1";
}

/// Fails, naming the command that approves, if `text` differs from the file or the file is missing.
inline void expect_golden(const std::string& name, const std::string& text) {
  const auto path = golden_path(name);
  if (approving()) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  std::ifstream file(path, std::ios::binary);
  ASSERT_TRUE(file) << path << " is missing: run ci/approve_goldens and review what it writes";
  std::stringstream approved;
  approved << file.rdbuf();
  EXPECT_EQ(approved.str(), text) << name << " differs: if that is meant, run ci/approve_goldens and review the diff";
}

}  // namespace stepgate
