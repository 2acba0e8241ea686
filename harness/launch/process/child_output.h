// The file that gets what a measured process prints.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "environment/process/secret_mask.h"
#include "system/descriptor.h"

namespace stepgate {

/// A process may print gigabytes. Its file keeps the first and the last part.
class ChildOutput {
 public:
  static constexpr std::size_t head_bytes = std::size_t{256} << 10U;
  static constexpr std::size_t tail_bytes = std::size_t{768} << 10U;

  /// Creates the file anew, whatever has that name (regular_file.h); no file where `path` is empty. Throws
  /// Error(measure) where that fails.
  explicit ChildOutput(const std::filesystem::path& path);

  int number() const { return file_.number(); }

  /// Call it often while the process runs: gives disk space back where the file has become large.
  void limit();

  /// Call it after the end. The file then holds at most head and tail, with a line between them that says how much is
  /// left out, without secrets, and with `remark` as its last line. Returns what it holds.
  std::string settle(const SecretMask& secrets, const std::string& remark);

 private:
  std::string part(off_t begin, off_t end) const;

  Descriptor file_;
  std::string tail_;           ///< the last part of what limit() removed
  std::uint64_t removed_ = 0;  ///< bytes
};

}  // namespace stepgate
