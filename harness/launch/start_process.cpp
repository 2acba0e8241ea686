#include "launch/start_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <vector>

#include "core/error.h"
#include "system/descriptor.h"

namespace stepgate {
namespace {

enum class Step : int { group, parent_death, descriptors, program };

constexpr std::array<const char*, 4> step_names = {"make a process group for", "tie the life of this process to",
                                                   "set up the descriptors of", "execute"};

/// What the child tells through a pipe that exec closes: once before exec, once more where that fails.
struct StartMessage {
  bool failed = false;
  Step step = Step::program;
  int error = 0;
  ProcessKnobOutcomes knobs{};
};

[[noreturn]] void fail(const std::string& what, const std::string& remedy) {
  throw Error(ErrorKind::measure, fmt::format("{}: {}", what, std::strerror(errno)), remedy);
}

/// Above stderr, so that redirecting cannot overwrite it.
Descriptor above_standard_streams(int number) {
  Descriptor low(number);
  return Descriptor(number < 0 ? -1 : ::fcntl(low.number(), F_DUPFD_CLOEXEC, 3));
}

/// Everything that the child needs, laid out beforehand.
struct Preparation {
  explicit Preparation(const ProcessKnobRequest& request) : knobs(request) {}

  Descriptor input;
  Descriptor output;
  Descriptor failure_read;
  Descriptor failure_write;
  ProcessKnobs knobs;
  int inherited = -1;
  pid_t parent = 0;
  std::vector<std::string> assignments;
  std::vector<char*> argv;
  std::vector<char*> envp;
};

void prepare_descriptors(Preparation& ready, const std::filesystem::path& output) {
  ready.input = above_standard_streams(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  ready.output =
      above_standard_streams(::open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0644));
  if (!ready.input.is_open() || !ready.output.is_open()) {
    fail(fmt::format("cannot write {}", output.string()), "give another folder with --out");
  }
  int ends[2] = {-1, -1};
  if (::pipe2(ends, O_CLOEXEC) != 0) fail("cannot make a pipe", "raise the limit of open files: ulimit -n");
  ready.failure_read = above_standard_streams(ends[0]);
  ready.failure_write = above_standard_streams(ends[1]);
}

Preparation prepare(const ProcessRequest& request) {
  Preparation ready(request.knobs);
  ready.inherited = request.inherited;
  ready.parent = ::getpid();
  prepare_descriptors(ready, request.output);
  for (const auto& [name, value] : request.environment) ready.assignments.push_back(name + "=" + value);
  for (const std::string& argument : request.command) ready.argv.push_back(const_cast<char*>(argument.c_str()));
  for (const std::string& assignment : ready.assignments) ready.envp.push_back(const_cast<char*>(assignment.c_str()));
  ready.argv.push_back(nullptr);
  ready.envp.push_back(nullptr);
  return ready;
}

void tell(const Preparation& ready, const StartMessage& message) {
  static_cast<void>(::write(ready.failure_write.number(), &message, sizeof message) < 0);
}

[[noreturn]] void give_up(const Preparation& ready, Step step, int error) {
  tell(ready, {.failed = true, .step = step, .error = error});
  ::_exit(127);
}

/// Handlers of the launcher must not run in the child, and ignored signals must not stay ignored.
void reset_signals() {
  struct sigaction standard {};
  standard.sa_handler = SIG_DFL;
  for (int number = 1; number < NSIG; ++number) ::sigaction(number, &standard, nullptr);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// Runs in the child, where memory may not be allocated.
[[noreturn]] void become(const Preparation& ready) {
  if (::setpgid(0, 0) != 0) give_up(ready, Step::group, errno);
  if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) give_up(ready, Step::parent_death, errno);
  if (::getppid() != ready.parent) ::_exit(127);  // died before prctl: nobody is left to tell
  StartMessage message;
  ready.knobs.apply(message.knobs);
  if (::dup2(ready.input.number(), 0) < 0 || ::dup2(ready.output.number(), 1) < 0 ||
      ::dup2(ready.output.number(), 2) < 0) {
    give_up(ready, Step::descriptors, errno);
  }
  static_cast<void>(::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC));  // older kernels: everything of ours is CLOEXEC anyway
  if (ready.inherited >= 0 && ::fcntl(ready.inherited, F_SETFD, 0) != 0) give_up(ready, Step::descriptors, errno);
  reset_signals();
  tell(ready, message);
  ::execve(ready.argv[0], ready.argv.data(), ready.envp.data());
  give_up(ready, Step::program, errno);
}

pid_t fork_with_signals_blocked(const Preparation& ready) {
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, &before);
  const pid_t pid = ::fork();
  if (pid == 0) become(ready);
  const int error = errno;
  ::sigprocmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return pid;
}

/// False once exec or death has closed the pipe.
bool hear(const Preparation& ready, StartMessage& message) {
  ssize_t got = 0;
  do {
    got = ::read(ready.failure_read.number(), &message, sizeof message);
  } while (got < 0 && errno == EINTR);
  return got == static_cast<ssize_t>(sizeof message);
}

}  // namespace

StartedProcess start_process(const ProcessRequest& request) {
  Preparation ready = prepare(request);
  const pid_t pid = fork_with_signals_blocked(ready);
  if (pid < 0) fail("cannot make a process", "raise the limit of processes: ulimit -u");
  ready.failure_write.close();
  StartedProcess started{.pid = pid, .start_step = "", .error = 0};
  StartMessage message;
  while (hear(ready, message) && !message.failed) started.knobs = message.knobs;
  if (!message.failed) return started;
  while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  return {.pid = 0, .start_step = step_names[static_cast<std::size_t>(message.step)], .error = message.error};
}

}  // namespace stepgate
