// A new folder with a name of its own, removed with everything in it.
#pragma once

#include <filesystem>
#include <string_view>

#include "system/descriptor.h"

namespace stepgate {

/// Removes the folders "<beside>.<kind>-XXXXXX" of this user that no living process uses: killed ones left them.
void remove_unused_folders(const std::filesystem::path& beside, std::string_view kind);

class FreshFolder {
 public:
  /// Makes "<beside>.<kind>-XXXXXX", which no other process takes for unused as long as this object lives, and removes
  /// those that are. Throws Error(measure) where the folder cannot be made.
  FreshFolder(const std::filesystem::path& beside, std::string_view kind);
  ~FreshFolder();
  FreshFolder(const FreshFolder&) = delete;
  FreshFolder& operator=(const FreshFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  Descriptor in_use_;  ///< flock(2) on the folder: the kernel releases it however the process ends
};

}  // namespace stepgate
