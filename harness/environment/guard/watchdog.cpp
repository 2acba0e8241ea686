#include "environment/guard/watchdog.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <exception>
#include <string>

#include "core/error.h"
#include "environment/gpu/nvml_library.h"
#include "environment/guard/recovery.h"
#include "system/start_process.h"

namespace stepgate {
namespace {

constexpr int line_number = 3;
constexpr int lock_number = 4;
constexpr char ready = 'r';
constexpr char done = 'd';
constexpr int start_patience_ms = 5000;

[[noreturn]] void fail_to_start(const std::string& what) {
  throw Error(ErrorKind::measure, fmt::format("the guard's watchdog does not start: {}", what),
              "without it nothing would be restored after a crash: use --guard process");
}

/// The program of the watchdog, in a session of its own. It outlives its caller, and it hears of the caller's death
/// only through `line`.
StartedProcess start_watchdog(const WatchdogRequest& request, const Descriptor& line) {
  try {
    return start_process({.command = {request.program.string(), watchdog_word, request.state_folder.string()},
                          .descriptors = {{line.number(), line_number}, {request.lock.number(), lock_number}},
                          .group = ProcessGroup::own_session,
                          .keeps_ignored_signals = true,
                          .ignored_signals = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}});
  } catch (const Error& error) {
    fail_to_start(error.what());
  }
}

/// Best effort: a machine short of memory should kill the launcher first.
void ask_to_be_spared() {
  const Descriptor score(::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC));
  if (score.is_open()) static_cast<void>(::write(score.number(), "-1000", 5) < 0);
}

void restore_after_death(const std::filesystem::path& state_folder) {
  SystemFiles files("/");
  const auto gpu = NvmlLibrary::open();
  Host host{files, gpu.get()};
  static_cast<void>(recover(host, state_folder));  // what fails stays in the journal for `stepgate recover`
}

}  // namespace

Watchdog Watchdog::start(const WatchdogRequest& request) {
  int ends[2] = {-1, -1};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail_to_start(std::strerror(errno));
  Descriptor mine(ends[0]);
  Descriptor its(ends[1]);
  const StartedProcess started = start_watchdog(request, its);
  if (started.failure) fail_to_start(text_of(*started.failure));
  const pid_t pid = started.pid;
  its.close();
  pollfd heard{.fd = mine.number(), .events = POLLIN, .revents = 0};
  char word = 0;
  const bool speaks = uninterrupted([&] { return ::poll(&heard, 1, start_patience_ms); }) == 1 &&
                      uninterrupted([&] { return ::recv(mine.number(), &word, 1, 0); }) == 1;
  if (!speaks || word != ready) {
    ::kill(pid, SIGKILL);
    uninterrupted([&] { return ::waitpid(pid, nullptr, 0); });
    fail_to_start(fmt::format("{} did not answer", request.program.string()));
  }
  return {pid, std::move(mine)};
}

void Watchdog::dismiss() {
  if (!line_.is_open()) return;
  static_cast<void>(::send(line_.number(), &done, 1, MSG_NOSIGNAL) < 0);
  line_.close();
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

int watch(const std::filesystem::path& state_folder) {
  ::prctl(PR_SET_NAME, "stepgate-guard");
  ask_to_be_spared();
  ::fcntl(line_number, F_SETFD, FD_CLOEXEC);
  ::fcntl(lock_number, F_SETFD, FD_CLOEXEC);
  if (::send(line_number, &ready, 1, MSG_NOSIGNAL) != 1) return 1;
  char word = 0;
  ssize_t got = 0;
  do {
    got = ::recv(line_number, &word, 1, 0);
  } while (got < 0 && errno == EINTR);
  if (got == 1 && word == done) return 0;
  try {
    restore_after_death(state_folder);
  } catch (const std::exception&) {
    return 1;  // nobody is left to tell; the journal stays
  }
  return 0;
}

}  // namespace stepgate
