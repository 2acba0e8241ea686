#include "baseline/baseline_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/error.h"
#include "system/files/regular_file.h"
#include "system/files/same_file.h"

namespace stepgate {
namespace {

std::string holder_of(int descriptor) {
  std::array<char, 256> text{};
  const ssize_t length = ::pread(descriptor, text.data(), text.size() - 1, 0);
  std::string holder(text.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
  while (holder.ends_with('\n')) holder.pop_back();
  return holder.empty() ? "another process" : holder;
}

[[noreturn]] void refuse_folder(const std::filesystem::path& folder, const char* what, const std::string& why) {
  throw Error(ErrorKind::baseline, fmt::format("{} {}: {}", what, folder.string(), why),
              "keep baselines in a folder that you may write to: --baseline-dir DIR");
}

Descriptor locked(const std::filesystem::path& file) {
  for (;;) {
    OpenedFile found = open_regular_file(file, O_RDWR | O_CREAT | O_NOFOLLOW, 0644);
    if (found.error != 0) refuse_folder(file.parent_path(), "cannot write in", std::strerror(found.error));
    if (!found.descriptor.is_open()) throw error_of(found, ErrorKind::baseline, file, "cannot lock the baselines");
    Descriptor opened = std::move(found.descriptor);
    if (uninterrupted([&] { return ::flock(opened.number(), LOCK_EX | LOCK_NB); }) != 0) {
      throw Error(ErrorKind::usage,
                  fmt::format("{}: baselines are being written by {}", file.string(), holder_of(opened.number())),
                  "wait until it is done, then try again");
    }
    if (is_still_named(opened, file)) return opened;
  }
}

}  // namespace

BaselineLock::BaselineLock(const std::filesystem::path& root, const std::string& since) : file_(root / lock_file_name) {
  std::error_code failed;
  std::filesystem::create_directories(root, failed);
  if (failed) refuse_folder(root, "cannot create", failed.message());
  descriptor_ = locked(file_);
  // The text only informs a person who finds the lock, so a failed write does no harm.
  const std::string text = fmt::format("process {} since {}\n", ::getpid(), since);
  const bool written =
      ::ftruncate(descriptor_.number(), 0) == 0 && ::pwrite(descriptor_.number(), text.data(), text.size(), 0) > 0;
  static_cast<void>(written);
}

BaselineLock::~BaselineLock() { ::unlink(file_.c_str()); }

}  // namespace stepgate
