// Allows one writer at a time: an advisory lock on <root>/.lock, which names its holder. The holder removes the file
// before it releases the lock, so that it does not get into version control. A writer that has locked a file which lost
// its name meanwhile begins again: two writers never hold two files of the same name.
#pragma once

#include <filesystem>
#include <string>

#include "system/descriptor.h"

namespace stepgate {

class BaselineLock {
 public:
  /// Creates `root` if it is missing. Throws Error(usage), naming the holder, if another process holds the lock, and
  /// Error(baseline), naming the folder, if it cannot be created or written. Writes `since` into the file for other
  /// users.
  BaselineLock(const std::filesystem::path& root, const std::string& since);
  BaselineLock(const BaselineLock&) = delete;
  BaselineLock& operator=(const BaselineLock&) = delete;
  ~BaselineLock();

 private:
  std::filesystem::path file_;
  Descriptor descriptor_;
};

inline constexpr const char* lock_file_name = ".lock";

}  // namespace stepgate
