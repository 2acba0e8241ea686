// Texts that try to break out of wherever they are shown: tests/attack/hostile_texts.json.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "test_paths.h"

namespace stepgate {

struct HostileText {
  std::string name;
  std::string text;
};

inline std::string bytes_of_hex(const std::string& hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
  return bytes;
}

inline std::vector<HostileText> hostile_texts() {
  std::ifstream file(std::filesystem::path(STEPGATE_GOLDEN_DIR).parent_path() / "attack" / "hostile_texts.json");
  const auto document = nlohmann::json::parse(file);
  std::vector<HostileText> texts;
  for (const auto& one : document["texts"]) texts.push_back({one["name"], one["text"]});
  for (const auto& one : document["bytes"]) texts.push_back({one["name"], bytes_of_hex(one["hex"])});
  EXPECT_GT(texts.size(), 70U);
  return texts;
}

}  // namespace stepgate
