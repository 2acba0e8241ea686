#include "system/descriptor.h"

#include <cerrno>

namespace stepgate {

int Descriptor::close_checked() {
  const int result = ::close(std::exchange(number_, -1));
  return result == 0 || errno == EINTR ? 0 : errno;
}

int write_whole(const Descriptor& descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor.number(), text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return written < 0 ? errno : ENOSPC;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

int sync_to_disk(const Descriptor& descriptor) {
  int result = -1;
  do {
    result = ::fsync(descriptor.number());
  } while (result != 0 && errno == EINTR);
  return result == 0 || errno == EINVAL ? 0 : errno;
}

}  // namespace stepgate
