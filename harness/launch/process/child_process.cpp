#include "launch/process/child_process.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "core/error.h"
#include "launch/process/child_output.h"
#include "launch/process/left_behind.h"
#include "launch/process/start_child.h"
#include "system/descriptor.h"
#include "system/elapsed.h"

namespace stepgate {
namespace {

using Clock = std::chrono::steady_clock;
using Names = std::vector<std::string>;

/// A process that SIGKILL does not end within this time hangs in the kernel, usually in a driver.
constexpr double kill_patience_s = 10;
/// How soon an interruption is noticed, and how often the launcher wakes up.
constexpr double poll_s = 0.05;
/// The guard samples values that change slowly. Five times a second costs less than a thousandth of a core
/// (docs/figures.md).
constexpr int rounds_per_watch = 4;

/// A started child that has not been reaped yet.
class Child {
 public:
  Child(pid_t pid, ChildOutput& output)
      : pid_(pid), output_(output), watch_(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))) {}

  /// Waits at most `limit_s` and returns whether it has ended. Does not reap it.
  bool wait_for_end(double limit_s) const {
    // Kernels before 5.3 have no pidfd: this then only sleeps and notices an end up to poll_s late.
    pollfd watched{.fd = watch_.number(), .events = POLLIN, .revents = 0};
    ::poll(&watched, watch_.is_open() ? 1 : 0, static_cast<int>(limit_s * 1000) + 1);
    output_.limit();
    siginfo_t info{};
    if (::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0 && errno == ECHILD) {
      throw Error(ErrorKind::measure, fmt::format("something else waited for the end of process {}", pid_),
                  "start stepgate without SIGCHLD ignored");
    }
    return info.si_pid == pid_;
  }

  bool wait_for_end_within(double limit_s) const {
    const auto start = Clock::now();
    do {
      if (wait_for_end(poll_s)) return true;
    } while (seconds_since(start) < limit_s);
    return false;
  }

  /// Signals the whole process group. The kernel does not reuse its number before the child is reaped.
  void signal_group(int number) const { ::kill(-pid_, number); }

  pid_t pid() const { return pid_; }

 private:
  pid_t pid_;
  ChildOutput& output_;
  Descriptor watch_;
};

bool is_interrupted(const ProcessRequest& request) {
  return request.interrupted != nullptr && request.interrupted->load() != 0;
}

/// Why the wait ended; `exited` means "ended by itself" here.
ProcessEnd wait_until_end_or_limit(const Child& child, const ProcessRequest& request) {
  const auto start = Clock::now();
  for (int round = 0;; ++round) {
    if (request.on_watch && round % rounds_per_watch == 0) request.on_watch(child.pid());
    if (request.on_wait) request.on_wait();
    const double left_s = request.timeout_s - seconds_since(start);
    if (child.wait_for_end(std::clamp(left_s, 0.0, poll_s))) return ProcessEnd::exited;
    if (is_interrupted(request)) return ProcessEnd::interrupted;
    if (left_s <= 0) return ProcessEnd::timed_out;
  }
}

/// SIGTERM, and SIGKILL after some grace. Returns whether SIGKILL was needed.
bool stop(const Child& child) {
  child.signal_group(SIGTERM);
  if (child.wait_for_end_within(termination_grace_s)) return false;
  child.signal_group(SIGKILL);
  if (child.wait_for_end_within(kill_patience_s)) return true;
  throw Error(ErrorKind::measure, fmt::format("process {} does not end, not even after SIGKILL", child.pid()),
              "it hangs in the kernel: see dmesg, reset the device or reboot");
}

void reap(const Child& child, ProcessResult& result) {
  result.exited = read_exited_child("/", child.pid());  // the kernel drops it at reaping
  child.signal_group(SIGKILL);                          // grandchildren that were left behind
  int status = 0;
  while (::wait4(child.pid(), &status, 0, &result.usage) < 0 && errno == EINTR) {
  }
  if (result.end != ProcessEnd::exited) return;
  if (WIFSIGNALED(status)) {
    result.end = ProcessEnd::signalled;
    result.code = WTERMSIG(status);
  } else {
    result.code = WEXITSTATUS(status);
  }
}

/// For people who wonder where a server went that their program had started.
std::string remark_on(const Names& left_behind) {
  if (left_behind.empty()) return "";
  constexpr std::size_t most_names = 5;
  const std::size_t named = std::min(left_behind.size(), most_names);
  return fmt::format("ended {} {} that it left behind: {}{}", left_behind.size(),
                     left_behind.size() == 1 ? "process" : "processes",
                     fmt::join(left_behind.begin(), left_behind.begin() + static_cast<std::ptrdiff_t>(named), ", "),
                     named < left_behind.size() ? ", ..." : "");
}

}  // namespace

ProcessResult run_process(const ProcessRequest& request) {
  std::optional<LeftBehind> left_behind;
  if (request.inherited < 0) left_behind.emplace();
  ChildOutput output(request.output);
  const auto start = Clock::now();
  const StartedChild started = start_child(request, output);
  ProcessResult result;
  result.knobs = started.knobs;
  if (started.process.failure) {
    result.start_failure = started.process.failure;
    result.code = started.process.failure->error;
    return result;
  }
  const Child child(started.process.pid, output);
  result.end = wait_until_end_or_limit(child, request);
  result.wall_s = seconds_since(start);
  if (result.end != ProcessEnd::exited) result.killed = stop(child);
  reap(child, result);
  const EndedLeftBehind ended = left_behind ? left_behind->end_all(child.pid()) : EndedLeftBehind{};
  result.left_behind_cpu_s = ended.cpu_s;
  result.printed = output.settle(request.secrets, remark_on(ended.names));
  return result;
}

}  // namespace stepgate
