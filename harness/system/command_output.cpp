#include "system/command_output.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <thread>

#include "system/descendants.h"
#include "system/descriptor.h"
#include "system/elapsed.h"
#include "system/start_process.h"
#include "system/stop_signal.h"

namespace stepgate {

namespace {

using Clock = std::chrono::steady_clock;

/// How often its end and a signal are looked for.
constexpr int command_poll_ms = 10;
/// One that has closed its output ends soon, or never.
constexpr double end_patience_s = 1;

/// A started command that has not been reaped yet.
class Command {
 public:
  /// `signal_before`: stop_signal() before its start.
  Command(pid_t pid, const Descriptor& pipe, const CommandInput& input, int signal_before)
      : pid_(pid), pipe_(pipe), input_(input), signal_before_(signal_before) {}

  /// Reads until the pipe ends. Something that the command started may keep the pipe open for ever, so the end of the
  /// command is the end too, once the pipe is empty. False: a limit came first.
  bool read_all(std::string& text) const {
    std::array<char, 4096> block{};
    for (bool ended = false;;) {
      if (is_at_limit(text)) return false;
      pollfd ready{.fd = pipe_.number(), .events = POLLIN, .revents = 0};
      if (uninterrupted([&] { return ::poll(&ready, 1, ended ? 0 : command_poll_ms); }) > 0) {
        const ssize_t got = ::read(pipe_.number(), block.data(), block.size());
        if (got == 0) return true;
        if (got > 0) text.append(block.data(), static_cast<std::size_t>(got));
      } else if (ended) {
        return true;
      } else {
        ended = has_ended();
      }
    }
  }

  /// Waits for one that has closed its output. False: it does not end.
  bool wait() const {
    for (const auto start = Clock::now(); seconds_since(start) < end_patience_s;) {
      if (has_ended()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return has_ended();
  }

  /// The whole group, whose number the kernel does not reuse before the command is reaped, and what it started besides.
  void kill() const {
    const std::vector<pid_t> started = descendants_of(pid_);
    ::kill(-pid_, SIGKILL);
    for (const pid_t one : started) ::kill(one, SIGKILL);
  }

  /// Its status; absent where a signal ended it.
  std::optional<int> reap() const {
    int status = 0;
    const pid_t reaped = uninterrupted([&] { return ::waitpid(pid_, &status, 0); });
    return reaped == pid_ && WIFEXITED(status) ? std::optional(WEXITSTATUS(status)) : std::nullopt;
  }

 private:
  bool is_at_limit(const std::string& text) const {
    return text.size() >= input_.most_bytes || seconds_since(start_) > input_.patience_s ||
           (input_.ends_on_signal && stop_signal() != signal_before_);
  }

  /// Also true if somebody else has waited for it.
  bool has_ended() const {
    siginfo_t info{};
    const int done = ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
    return (done == 0 && info.si_pid == pid_) || (done != 0 && errno == ECHILD);
  }

  pid_t pid_;
  const Descriptor& pipe_;
  const CommandInput& input_;
  int signal_before_;
  Clock::time_point start_ = Clock::now();
};

/// A file in memory, so that a command that reads nothing cannot block its writer.
Descriptor file_with(const std::string& text) {
  Descriptor file(::memfd_create("input", MFD_CLOEXEC));
  if (!file.is_open() || write_whole(file, text) != 0 || ::lseek(file.number(), 0, SEEK_SET) != 0) return Descriptor();
  return file;
}

void limit_memory(const CommandInput& input) {
  if (!input.most_memory_bytes) return;
  const rlimit most{.rlim_cur = *input.most_memory_bytes, .rlim_max = *input.most_memory_bytes};
  static_cast<void>(::setrlimit(RLIMIT_AS, &most));
}

}  // namespace

CommandEnd run_command(const std::vector<std::string>& command, const CommandInput& input) {
  std::array<int, 2> ends = {-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  const Descriptor read_end(ends[0]);
  Descriptor write_end(ends[1]);
  const Descriptor nothing(uninterrupted([] { return ::open("/dev/null", O_WRONLY | O_CLOEXEC); }));
  const Descriptor text_file = file_with(input.text);
  if (!text_file.is_open()) return {};
  ProcessStart start{.command = {"/usr/bin/env"},
                     .descriptors = {{text_file.number(), STDIN_FILENO},
                                     {write_end.number(), STDOUT_FILENO},
                                     {nothing.number(), STDERR_FILENO}},
                     .group = ProcessGroup::own,
                     .dies_with_caller = true,
                     .before_exec = [&] { limit_memory(input); }};
  start.command.insert(start.command.end(), command.begin(), command.end());
  const int signal_before = stop_signal();
  const StartedProcess started = start_process(start);
  if (started.failure) return {};
  write_end.close();
  const Command running(started.pid, read_end, input, signal_before);
  CommandEnd end;
  const bool ended = running.read_all(end.printed) && running.wait();
  if (!ended) running.kill();
  const std::optional<int> status = running.reap();
  if (ended) end.status = status;
  return end;
}

std::string command_output(const std::vector<std::string>& command, const CommandInput& input) {
  return run_command(command, input).printed;
}

}  // namespace stepgate
