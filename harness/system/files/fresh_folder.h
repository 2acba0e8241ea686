// A new folder with a name of its own, removed with everything in it.
#pragma once

#include <filesystem>
#include <string_view>

namespace stepgate {

class FreshFolder {
 public:
  /// Makes "<beside>.<kind>-XXXXXX", and removes what killed processes left under such names. `beside` has one user at
  /// a time. Throws Error(measure) where the folder cannot be made.
  FreshFolder(const std::filesystem::path& beside, std::string_view kind);
  ~FreshFolder();
  FreshFolder(const FreshFolder&) = delete;
  FreshFolder& operator=(const FreshFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace stepgate
