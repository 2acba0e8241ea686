#include "system/files/file_lock.h"

#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <fstream>
#include <optional>
#include <string_view>
#include <thread>

#include "core/interruption.h"
#include "core/text/utc_time.h"
#include "system/elapsed.h"

namespace stepgate {
namespace {

/// How soon the end of the holder and a signal are noticed.
constexpr auto poll_interval = std::chrono::milliseconds(50);
/// Only the beginning of what stands there is read.
constexpr std::size_t most_holder_bytes = 4096;

/// What a line of somebody else's text may take of a message.
constexpr std::size_t most_field_bytes = 200;
constexpr const char* unknown = "unknown";

std::string field_of(std::string_view text, std::string_view name) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (line.starts_with(name)) return std::string(line.substr(name.size(), most_field_bytes));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return unknown;
}

/// The process that holds the lock, as the kernel knows it; "" where it is not shown here. Lines of proc(5), locks:
/// "1: FLOCK ADVISORY WRITE 8655 fe:00:12345 0 EOF"; one that waits has "->" in the second place.
std::string locking_pid(const Descriptor& lock) {
  struct stat file {};
  if (::fstat(lock.number(), &file) != 0) return "";
  const std::string place = fmt::format("{:02x}:{:02x}:{}", major(file.st_dev), minor(file.st_dev), file.st_ino);
  std::ifstream locks("/proc/locks");
  for (std::string number, kind, advisory, mode, pid, at, rest; locks >> number >> kind;) {
    if (kind != "FLOCK") {
      std::getline(locks, rest);
      continue;
    }
    locks >> advisory >> mode >> pid >> at;
    std::getline(locks, rest);
    if (at == place) return pid;
  }
  return "";
}

/// Tells who holds the lock, each holder once.
class HolderNews {
 public:
  HolderNews(const Descriptor& lock, const LockWait& wait) : lock_(lock), wait_(wait) {}

  void tell() {
    if (!wait_.on_held) return;
    const LockHolder now = holder_of(lock_);
    // The kernel shows no holder also where it has just ended: the next look tells.
    const bool certain = !now.pid.empty() || was_unseen_;
    was_unseen_ = now.pid.empty();
    if (!certain || told_ == now) return;
    told_ = now;
    wait_.on_held(now);
  }

 private:
  const Descriptor& lock_;
  const LockWait& wait_;
  std::optional<LockHolder> told_;
  bool was_unseen_ = false;
};

void end_on_signal(const LockWait& wait) {
  const int number = wait.interrupted == nullptr ? 0 : wait.interrupted->load();
  if (number == 0) return;
  throw Interruption(
      number, fmt::format("stopped by signal {} while another run held the lock; this one had not begun", number));
}

}  // namespace

std::string text_of(const LockHolder& holder) {
  if (!holder.pid.empty()) return fmt::format("pid {}, since {}, `{}`", holder.pid, holder.since, holder.command);
  return fmt::format("a process that cannot be seen from here, as in another container; the file says: since {}, `{}`",
                     holder.since, holder.command);
}

LockHolder holder_of(const Descriptor& lock) {
  std::string text(most_holder_bytes, '\0');
  const ssize_t got = ::pread(lock.number(), text.data(), text.size(), 0);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  const std::string pid = locking_pid(lock);
  if (!pid.empty() && field_of(text, "pid: ") != pid) return {pid, unknown, unknown};
  return {pid, field_of(text, "since: "), field_of(text, "command: ")};
}

void name_holder(const Descriptor& lock, const std::string& command) {
  std::string one_line = command;
  std::replace_if(
      one_line.begin(), one_line.end(), [](char letter) { return letter == '\n' || letter == '\r'; }, ' ');
  const std::string text =
      fmt::format("pid: {}\nsince: {}\ncommand: {}\n", ::getpid(), utc_text(std::time(nullptr)), one_line);
  // Cut last: whoever reads meanwhile never finds the file empty.
  const ssize_t written = ::pwrite(lock.number(), text.data(), text.size(), 0);
  if (written > 0) static_cast<void>(::ftruncate(lock.number(), written) < 0);
}

bool lock_file(const Descriptor& file, const LockWait& wait) {
  const auto start = std::chrono::steady_clock::now();
  HolderNews news(file, wait);
  while (::flock(file.number(), LOCK_EX | LOCK_NB) != 0) {
    const int error = errno;
    end_on_signal(wait);
    if (error == EINTR) continue;
    const bool is_over = error != EWOULDBLOCK || seconds_since(start) >= wait.limit_s;
    if (!is_over) news.tell();
    errno = error;
    if (is_over) return false;
    std::this_thread::sleep_for(poll_interval);
  }
  return true;
}

}  // namespace stepgate
