#include "emulator/machine/output_path.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace stepgate::emulator {
namespace {

bool is_rank(std::string_view text) {
  constexpr std::size_t most_digits = 9;
  const auto is_digit = [](char letter) { return letter >= '0' && letter <= '9'; };
  return !text.empty() && text.size() <= most_digits && std::all_of(text.begin(), text.end(), is_digit);
}

/// Whether no other process has the file. One that cannot be opened is nobody's: whoever writes it says why it cannot.
/// The descriptor of a locked file stays open until the process ends.
bool take(const std::string& path) {
  constexpr ::mode_t readable = 0666;
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, readable);
  if (file < 0) return true;
  if (::flock(file, LOCK_EX | LOCK_NB) == 0) return true;
  const bool is_taken = errno == EWOULDBLOCK;
  ::close(file);
  return !is_taken;
}

}  // namespace

std::string output_path(const std::string& path, std::string_view rank) {
  if (path.empty()) return path;
  if (is_rank(rank)) return path + ".rank" + std::string(rank);
  return take(path) ? path : path + "." + std::to_string(::getpid());
}

}  // namespace stepgate::emulator
