// The kernel's files below /proc, /sys and /dev as the guard reads and writes them. Tests use a model instead.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "system/descriptor.h"

namespace stepgate {

/// Paths are absolute, "/sys/devices/system/cpu/...", whatever the root.
class HostFiles {
 public:
  virtual ~HostFiles() = default;

  /// Content without trailing white space; absent where the file is missing or cannot be read.
  virtual std::optional<std::string> read(const std::string& path) const = 0;
  /// Names in a folder, sorted; empty where it is missing.
  virtual std::vector<std::string> names_in(const std::string& folder) const = 0;
  /// errno that opening the file for writing would give, 0 where it may be written. Changes nothing.
  virtual int write_refusal(const std::string& path) const = 0;

  /// One write(2) of the whole text. Returns errno, 0 where the kernel took it (which proves nothing: read it back);
  /// EPERM where links of the path lead out of /sys and /proc.
  virtual int write(const std::string& path, const std::string& text) = 0;
  /// Both return errno, 0 if it worked.
  virtual int make_folder(const std::string& path) = 0;
  virtual int remove_folder(const std::string& path) = 0;

  /// kill(2): errno, 0 where the process took the signal.
  virtual int send_signal(int pid, int number);
};

/// The real files below `sysroot`, "/" outside tests.
class SystemFiles final : public HostFiles {
 public:
  explicit SystemFiles(std::filesystem::path sysroot) : sysroot_(std::move(sysroot)) {}

  std::optional<std::string> read(const std::string& path) const override;
  std::vector<std::string> names_in(const std::string& folder) const override;
  int write_refusal(const std::string& path) const override;
  int write(const std::string& path, const std::string& text) override;
  int make_folder(const std::string& path) override;
  int remove_folder(const std::string& path) override;
  int send_signal(int pid, int number) override;

 private:
  std::filesystem::path below(const std::string& path) const;
  bool is_kernels(const std::filesystem::path& real) const;
  bool is_kernel_file(const Descriptor& file) const;
  bool is_in_kernel_folder(const std::string& path) const;
  std::filesystem::path sysroot_;
};

}  // namespace stepgate
