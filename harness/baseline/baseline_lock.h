// Allows one writer at a time: an advisory lock on <root>/.lock, which names its holder. The file stays after the lock
// is released: if it were removed, two writers could lock two different files of the same name.
#pragma once

#include <filesystem>
#include <string>

#include "system/descriptor.h"

namespace stepgate {

class BaselineLock {
 public:
  /// Creates `root` if it is missing. Throws Error(usage), naming the holder, if another process holds the lock, and
  /// Error(baseline) if the lock file cannot be opened. Writes `since` into the file for other users.
  BaselineLock(const std::filesystem::path& root, const std::string& since);

 private:
  Descriptor descriptor_;
};

inline constexpr const char* lock_file_name = ".lock";

}  // namespace stepgate
