// The folder of results stays the one in which the run began.
#pragma once

#include <sys/stat.h>

#include <filesystem>

namespace stepgate {

/// Everything that is stored after a process goes into this folder, by its name.
class SameFolder {
 public:
  explicit SameFolder(const std::filesystem::path& path);

  /// Throws Error(measure) where the name leads elsewhere now.
  void require() const;

 private:
  std::filesystem::path path_;
  struct stat before_ {};
};

}  // namespace stepgate
