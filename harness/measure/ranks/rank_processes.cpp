#include "measure/ranks/rank_processes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "core/error.h"
#include "measure/ranks/rank_start.h"
#include "system/descriptor.h"

namespace stepgate {
namespace {

using Clock = std::chrono::steady_clock;

/// A longer line is passed on in pieces. A rank may print gigabytes without a line end.
constexpr std::size_t most_line_bytes = std::size_t{1} << 16U;
/// More than a pipe holds.
constexpr int most_turns = 64;

[[noreturn]] void fail(const std::string& what) {
  throw Error(ErrorKind::measure, fmt::format("{}: {}", what, std::strerror(errno)),
              "raise the limit of open files: ulimit -n");
}

/// Blocks SIGCHLD and the signals that ask this process to end, so that they can be read. The destructor restores the
/// old mask.
class HeldSignals {
 public:
  HeldSignals() {
    sigset_t held;
    ::sigemptyset(&held);
    ::sigaddset(&held, SIGCHLD);
    for (const int number : {SIGTERM, SIGINT, SIGHUP}) {
      if (!is_ignored(number)) ::sigaddset(&held, number);  // ignored by the parent, as under nohup
    }
    ::sigprocmask(SIG_BLOCK, &held, &before_);
    source_ = Descriptor(::signalfd(-1, &held, SFD_CLOEXEC | SFD_NONBLOCK));
    if (!source_.is_open()) fail("cannot wait for signals");
  }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
  ~HeldSignals() { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }

  static bool is_ignored(int number) {
    struct sigaction action {};
    return ::sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
  }

  int number() const { return source_.number(); }
  /// The next signal that came; 0: none.
  int next() const {
    signalfd_siginfo came{};
    return ::read(source_.number(), &came, sizeof came) == sizeof came ? static_cast<int>(came.ssi_signo) : 0;
  }

 private:
  sigset_t before_{};
  Descriptor source_;
};

struct Running {
  pid_t pid = 0;
  Descriptor output;
  std::string line;     ///< begun, without its end
  bool silent = false;  ///< closed its output
  bool ended = false;
  int status = 0;  ///< as waitpid() tells it
};

class Ranks {
 public:
  explicit Ranks(const RankProcesses& request) : request_(request) {}
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;
  ~Ranks() { kill_all(); }

  RanksEnd run() {
    start();
    while (std::any_of(ranks_.begin(), ranks_.end(), [](const Running& one) { return !one.ended; })) wait();
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) forward(rank);
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) end_line(rank);
    heed_alarm();
    return std::move(end_);
  }

 private:
  /// Rank 0 has one wire to each other rank.
  void start() {
    const std::size_t count = request_.commands.size();
    std::array<int, 2> alarm{};
    if (::pipe2(alarm.data(), O_CLOEXEC | O_NONBLOCK) != 0) fail("cannot make a pipe");
    alarm_ = Descriptor(alarm[0]);
    const Descriptor alarm_end(alarm[1]);
    std::vector<std::vector<int>> ends(count);
    std::vector<Descriptor> open;
    for (std::size_t rank = 1; rank < count; ++rank) {
      std::array<int, 2> pair{};
      if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair.data()) != 0) fail("cannot make a socket");
      for (const int number : pair) open.emplace_back(number);
      ends[0].push_back(pair[0]);
      ends[rank].push_back(pair[1]);
    }
    for (std::size_t rank = 0; rank < count; ++rank) start_one(rank, ends[rank], alarm_end.number());
  }

  /// The number of the rank goes with them: the emulation names a rank's own files by it (docs/design/emulated_gpu.md).
  std::vector<std::string> variables_of(std::size_t rank) const {
    std::vector<std::string> variables = request_.variables;
    if (!variables.empty()) variables.push_back(fmt::format("STEPGATE_RANK={}", rank));
    return variables;
  }

  void start_one(std::size_t rank, const std::vector<int>& wires, int alarm) {
    std::array<int, 2> pipe_ends{};
    if (::pipe2(pipe_ends.data(), O_CLOEXEC) != 0) fail("cannot make a pipe");
    Running started;
    started.output = Descriptor(pipe_ends[0]);
    const Descriptor write_end(pipe_ends[1]);
    ::fcntl(pipe_ends[0], F_SETFL, O_NONBLOCK);
    RankStart what{.command = request_.commands[rank],
                   .variables = variables_of(rank),
                   .cpus = {},
                   .kept = wires,
                   .output = write_end.number()};
    if (rank < request_.cpus.size()) what.cpus = request_.cpus[rank];
    what.kept.push_back(alarm);
    if (request_.places >= 0) what.kept.push_back(request_.places);
    what.command.push_back(fmt::format("--stepgate_rank_sockets={}", fmt::join(wires, ",")));
    what.command.push_back(fmt::format("--stepgate_rank_alarm={}", alarm));
    started.pid = start_rank(what);
    ranks_.push_back(std::move(started));
  }

  void wait() {
    std::vector<pollfd> sources = {{.fd = signals_.number(), .events = POLLIN, .revents = 0}};
    for (const Running& one : ranks_) {
      sources.push_back({.fd = one.silent ? -1 : one.output.number(), .events = POLLIN, .revents = 0});
    }
    ::poll(sources.data(), sources.size(), time_left_ms());
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      if (sources[rank + 1].revents != 0) forward(rank);
    }
    for (int came = signals_.next(); came != 0; came = signals_.next()) {
      if (came == SIGCHLD) continue;
      end_.interrupted_by = came;
      kill_all();
    }
    reap();
    if (end_.failure && Clock::now() >= deadline_) stop_the_rest();
  }

  int time_left_ms() const {
    if (!end_.failure) return -1;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline_ - Clock::now());
    return static_cast<int>(std::max<std::int64_t>(0, left.count()) + 1);
  }

  void forward(std::size_t rank) {
    Running& from = ranks_[rank];
    std::array<char, 4096> chunk{};
    ssize_t got = 0;
    // A rank that never stops printing must not keep this process from the others, and from signals.
    for (int turn = 0; turn < most_turns; ++turn) {
      got = ::read(from.output.number(), chunk.data(), chunk.size());
      if (got <= 0) break;
      for (const char c : std::string_view(chunk.data(), static_cast<std::size_t>(got))) {
        if (c == '\n') {
          request_.on_line(static_cast<std::int64_t>(rank), from.line);
          from.line.clear();
        } else {
          if (from.line.size() == most_line_bytes) end_line(rank);
          from.line += c;
        }
      }
    }
    if (got == 0) from.silent = true;
  }

  void end_line(std::size_t rank) {
    Running& from = ranks_[rank];
    if (!from.line.empty()) request_.on_line(static_cast<std::int64_t>(rank), from.line);
    from.line.clear();
  }

  void reap() {
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      Running& one = ranks_[rank];
      int status = 0;
      if (one.ended || ::waitpid(one.pid, &status, WNOHANG) != one.pid) continue;
      one.ended = true;
      one.status = status;
      if (status != 0 && end_.interrupted_by == 0) note_failure(static_cast<std::int64_t>(rank), status);
    }
  }

  void note_failure(std::int64_t rank, int status) {
    const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (!end_.failure) {
      deadline_ = Clock::now() + request_.grace;
    } else if (signal == 0 || end_.failure->signal != 0 || stopping_) {
      return;
    }
    end_.failure = {.rank = rank,
                    .status = WIFEXITED(status) ? WEXITSTATUS(status) : 0,
                    .signal = signal,
                    .place = {},
                    .stopped = {}};
  }

  /// Exits can be seen in another order than that in which they happened.
  void heed_alarm() {
    if (!end_.failure || end_.failure->signal != 0) return;
    std::array<char, 16> text{};
    if (::read(alarm_.number(), text.data(), text.size() - 1) <= 0) return;
    const auto rank = static_cast<std::size_t>(std::strtoul(text.data(), nullptr, 10));
    if (rank >= ranks_.size() || !WIFEXITED(ranks_[rank].status) || ranks_[rank].status == 0) return;
    end_.failure->rank = static_cast<std::int64_t>(rank);
    end_.failure->status = WEXITSTATUS(ranks_[rank].status);
  }

  void stop_the_rest() {
    if (stopping_) return;
    stopping_ = true;
    for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
      if (!ranks_[rank].ended) end_.failure->stopped.push_back(static_cast<std::int64_t>(rank));
    }
    deadline_ = Clock::time_point::max();
    kill_all();
  }

  /// Kills them and waits for their end.
  void kill_all() {
    for (Running& one : ranks_) {
      if (!one.ended) ::kill(one.pid, SIGKILL);
    }
    for (Running& one : ranks_) {
      if (one.ended) continue;
      while (::waitpid(one.pid, nullptr, 0) < 0 && errno == EINTR) {
      }
      one.ended = true;
    }
  }

  const RankProcesses& request_;
  HeldSignals signals_;
  Descriptor alarm_;
  std::vector<Running> ranks_;
  RanksEnd end_;
  Clock::time_point deadline_;
  bool stopping_ = false;
};

}  // namespace

RanksEnd run_ranks(const RankProcesses& request) { return Ranks(request).run(); }

std::string text_of(const RankFailure& failure, std::int64_t ranks) {
  std::string text = fmt::format("rank {} of {} ", failure.rank, ranks);
  if (failure.signal != 0) {
    const char* name = ::sigabbrev_np(failure.signal);
    text += fmt::format("was killed by signal {} (SIG{})", failure.signal, name == nullptr ? "?" : name);
  } else {
    text += fmt::format("failed with status {}", failure.status);
  }
  if (failure.signal != 0 && !failure.place.empty()) text += " " + failure.place;
  if (failure.stopped.empty()) return text;
  return text + fmt::format("; still running and stopped: {}", fmt::join(failure.stopped, ", "));
}

}  // namespace stepgate
