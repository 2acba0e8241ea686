// One writer at a time: an advisory lock on <root>/.lock that names its holder. The file stays, only its lock goes,
// since removing it would let two writers hold two different files of the same name.
#pragma once

#include <filesystem>
#include <string>

#include "system/descriptor.h"

namespace stepgate {

class BaselineLock {
 public:
  /// Creates `root` where it is missing. Throws Error(usage), naming the holder, where somebody else holds the lock,
  /// and Error(baseline) where the lock file cannot be opened. `since` is written into the file for others to read.
  BaselineLock(const std::filesystem::path& root, const std::string& since);

 private:
  Descriptor descriptor_;
};

inline constexpr const char* lock_file_name = ".lock";

}  // namespace stepgate
