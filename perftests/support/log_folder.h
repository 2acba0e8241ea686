// Where a workload writes its log.
#pragma once

#include <filesystem>
#include <string>

namespace stepgate {

/// What the parameter "telemetry" asks for: "off", "on" (a folder of its own among the temporary files, which the
/// destructor removes), else the name of a folder, which is kept.
class LogFolder {
 public:
  /// Throws std::runtime_error where the folder of its own cannot be made.
  explicit LogFolder(const std::string& asked);
  ~LogFolder();
  LogFolder(const LogFolder&) = delete;
  LogFolder& operator=(const LogFolder&) = delete;

  /// Empty where it is off.
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  bool own_;
};

}  // namespace stepgate
