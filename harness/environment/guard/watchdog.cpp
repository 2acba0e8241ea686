#include "environment/guard/watchdog.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <exception>
#include <optional>
#include <string>

#include "core/error.h"
#include "environment/gpu/nvml_library.h"
#include "environment/guard/recovery.h"

namespace stepgate {
namespace {

constexpr int line_number = 3;
constexpr int lock_number = 4;
constexpr char ready = 'r';
constexpr char done = 'd';
constexpr int start_patience_ms = 5000;

[[noreturn]] void fail(const std::string& what) {
  throw Error(ErrorKind::measure, fmt::format("the guard's watchdog does not start: {}", what),
              "without it nothing would be restored after a crash: use --guard process");
}

struct Prepared {
  std::array<std::string, 3> words;
  std::array<char*, 4> argv{};
  Descriptor line;
  Descriptor lock;
};

/// Above both final numbers, so that moving one descriptor does not overwrite the other.
Descriptor moved_up(int number) { return Descriptor(::fcntl(number, F_DUPFD_CLOEXEC, lock_number + 1)); }

/// Runs in the child, where memory may not be allocated.
[[noreturn]] void become(const Prepared& prepared) {
  static_cast<void>(::setsid());  // Ctrl-C and a closed terminal do not end it
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE}) ::sigaction(number, &ignore, nullptr);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  static_cast<void>(::dup2(prepared.line.number(), line_number) < 0 || ::dup2(prepared.lock.number(), lock_number) < 0);
  ::execv(prepared.argv[0], prepared.argv.data());
  ::_exit(127);
}

/// Best effort: a machine short of memory should kill the launcher first.
void ask_to_be_spared() {
  const int descriptor = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  static_cast<void>(::write(descriptor, "-1000", 5) < 0);
  ::close(descriptor);
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
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) fail(std::strerror(errno));
  Descriptor mine(ends[0]);
  Descriptor its(ends[1]);
  Prepared prepared{.words = {request.program.string(), watchdog_word, request.state_folder.string()},
                    .line = moved_up(its.number()),
                    .lock = moved_up(request.lock.number())};
  for (std::size_t i = 0; i < prepared.words.size(); ++i) prepared.argv[i] = prepared.words[i].data();
  const pid_t pid = ::fork();
  if (pid < 0) fail(std::strerror(errno));
  if (pid == 0) become(prepared);
  its.close();
  prepared.line.close();
  pollfd heard{.fd = mine.number(), .events = POLLIN, .revents = 0};
  char word = 0;
  if (::poll(&heard, 1, start_patience_ms) != 1 || ::recv(mine.number(), &word, 1, 0) != 1 || word != ready) {
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    fail(fmt::format("{} did not answer", request.program.string()));
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
