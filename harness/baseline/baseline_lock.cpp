#include "baseline/baseline_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "core/error.h"

namespace stepgate {
namespace {

std::string holder_of(int descriptor) {
  std::array<char, 256> text{};
  const ssize_t length = ::pread(descriptor, text.data(), text.size() - 1, 0);
  std::string holder(text.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
  while (holder.ends_with('\n')) holder.pop_back();
  return holder.empty() ? "another process" : holder;
}

}  // namespace

BaselineLock::BaselineLock(const std::filesystem::path& root, const std::string& since) {
  std::error_code ignored;  // if the folder cannot be created, opening the lock file fails below
  std::filesystem::create_directories(root, ignored);
  const auto file = root / lock_file_name;
  descriptor_ = Descriptor(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
  if (!descriptor_.is_open()) {
    throw Error(ErrorKind::baseline, fmt::format("{}: {}", file.string(), std::strerror(errno)),
                "put baselines into a folder that you may write to");
  }
  if (::flock(descriptor_.number(), LOCK_EX | LOCK_NB) != 0) {
    const std::string holder = holder_of(descriptor_.number());
    throw Error(ErrorKind::usage, fmt::format("{}: baselines are being written by {}", file.string(), holder),
                "wait until it is done, then try again");
  }
  // The text only informs a person who finds the lock, so a failed write does no harm.
  const std::string text = fmt::format("process {} since {}\n", ::getpid(), since);
  const bool written =
      ::ftruncate(descriptor_.number(), 0) == 0 && ::pwrite(descriptor_.number(), text.data(), text.size(), 0) > 0;
  static_cast<void>(written);
}

}  // namespace stepgate
