// A folder of data files that the test removes, and training text that needs no download.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "support/text_corpus.h"

namespace stepgate {

class DataFolder {
 public:
  DataFolder() {
    std::string name = testing::TempDir() + "stepgate-data-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot create " + name);
    path_ = name;
  }
  ~DataFolder() { std::filesystem::remove_all(path_); }
  DataFolder(const DataFolder&) = delete;
  DataFolder& operator=(const DataFolder&) = delete;

  void write(const std::string& name, const std::string& bytes) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << bytes;
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Functions of one to nine lines each, all different: every bucket of a tiny model has samples.
inline TextCorpus synthetic_sources() {
  TextCorpus corpus;
  std::string text;
  for (int function = 0; function < 400; ++function) {
    text += "def f" + std::to_string(function) + "(x):\n";
    for (int line = 0; line < function % 9; ++line) text += "    x += " + std::to_string(line * function) + "\n";
    text += "\n\n";
  }
  corpus.texts = {text};
  corpus.digest = "synthetic";
  return corpus;
}

}  // namespace stepgate
