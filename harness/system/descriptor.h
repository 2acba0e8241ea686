// An open file descriptor that closes itself.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <utility>

namespace stepgate {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  void close() {
    if (number_ >= 0) ::close(number_);
    number_ = -1;
  }
  /// 0, or the errno of close(): network file systems report a full disk only here.
  int close_checked();

 private:
  int number_ = -1;
};

/// Repeats a system call that a signal interrupts. `call` returns a negative number where it fails, and sets errno.
template <typename Call>
auto uninterrupted(const Call& call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

/// Writes all of `text`. 0, or the errno of what failed.
int write_whole(const Descriptor& descriptor, std::string_view text);

/// fsync. 0, or its errno. A file system that has no fsync for such a descriptor (some have none for folders) is
/// not an error.
int sync_to_disk(const Descriptor& descriptor);

}  // namespace stepgate
