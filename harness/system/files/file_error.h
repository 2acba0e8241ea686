// What went wrong with a file, and what to do about it.
#pragma once

#include <filesystem>
#include <string_view>

#include "core/error.h"

namespace stepgate {

/// A failed step with a file: "cannot read", and the errno of the kernel.
struct FileFailure {
  std::filesystem::path path;
  std::string_view step;
  int error = 0;
};

/// "PATH: STEP: No space left on device", with the remedy for that errno.
Error file_error(ErrorKind kind, const FileFailure& failure);

/// The same for what std::filesystem throws, which names no remedy.
Error file_error(const std::filesystem::filesystem_error& failure);

}  // namespace stepgate
