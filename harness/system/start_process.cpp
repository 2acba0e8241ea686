#include "system/start_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "core/error.h"
#include "system/descriptor.h"

namespace stepgate {
namespace {

enum class StartStep : int { group, parent_death, folder, descriptors, program };

constexpr std::array<const char*, 5> start_step_names = {"make a process group for", "tie to its caller's life",
                                                         "enter the folder", "set up the descriptors of", "execute"};

/// What the child writes into the error pipe where it cannot go on. exec closes the pipe.
struct StartMessage {
  StartStep step = StartStep::program;
  int error = 0;
};

/// A passed descriptor whose source cannot be overwritten by another one's target.
struct SafeDescriptor {
  Descriptor from;
  int number = -1;
};

/// All that the child needs. The caller allocates it before the fork, because the child may not.
struct StartPreparation {
  const ProcessStart& start;
  Descriptor error_read = {};
  Descriptor error_write = {};
  std::vector<SafeDescriptor> descriptors = {};
  std::vector<char*> argv = {};
  std::vector<char*> envp = {};
  pid_t parent = 0;
};

[[noreturn]] void fail_to_start(const char* what, const char* remedy) {
  throw Error(ErrorKind::measure, fmt::format("{}: {}", what, std::strerror(errno)), remedy);
}

std::vector<char*> c_strings(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

/// Duplicates all descriptors that the child needs to numbers above every number that the program will use.
void prepare_descriptors(StartPreparation& ready) {
  int lowest = 3;
  for (const PassedDescriptor& passed : ready.start.descriptors) lowest = std::max(lowest, passed.number + 1);
  const auto duplicate = [lowest](int number) { return Descriptor(::fcntl(number, F_DUPFD_CLOEXEC, lowest)); };
  for (const PassedDescriptor& passed : ready.start.descriptors) {
    ready.descriptors.push_back({duplicate(passed.from), passed.number});
    if (!ready.descriptors.back().from.is_open()) {
      fail_to_start("cannot pass a descriptor to a process", "raise the limit of open files: ulimit -n");
    }
  }
  std::array<int, 2> ends = {-1, -1};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    fail_to_start("cannot make a pipe", "raise the limit of open files: ulimit -n");
  }
  ready.error_read = Descriptor(ends[0]);
  const Descriptor low_write(ends[1]);
  ready.error_write = duplicate(low_write.number());
  if (!ready.error_write.is_open()) {
    fail_to_start("cannot make a pipe", "raise the limit of open files: ulimit -n");
  }
}

StartPreparation prepare_start(const ProcessStart& start) {
  StartPreparation ready{.start = start};
  prepare_descriptors(ready);
  ready.argv = c_strings(start.command);
  if (start.environment) ready.envp = c_strings(*start.environment);
  ready.parent = ::getpid();
  return ready;
}

[[noreturn]] void give_up(const StartPreparation& ready, StartStep step) {
  const StartMessage message{step, errno};
  static_cast<void>(::write(ready.error_write.number(), &message, sizeof message) < 0);
  ::_exit(127);
}

/// No handler of the caller may run in the child, so this comes before the signals are unblocked.
void set_signals(const ProcessStart& start) {
  struct sigaction action {};
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction now {};
    if (start.keeps_ignored_signals && ::sigaction(number, nullptr, &now) == 0 && now.sa_handler == SIG_IGN) continue;
    action.sa_handler = SIG_DFL;
    ::sigaction(number, &action, nullptr);
  }
  action.sa_handler = SIG_IGN;
  for (const int number : start.ignored_signals) ::sigaction(number, &action, nullptr);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

void pass_descriptors(const StartPreparation& ready) {
  // Kernels before 5.11 refuse this. All descriptors of the harness are close-on-exec in any case.
  static_cast<void>(::close_range(3, ~0U, CLOSE_RANGE_CLOEXEC));
  for (const SafeDescriptor& passed : ready.descriptors) {
    const int result = uninterrupted([&] { return ::dup2(passed.from.number(), passed.number); });
    if (result < 0) give_up(ready, StartStep::descriptors);
  }
}

/// Runs in the child, where memory may not be allocated.
[[noreturn]] void become(const StartPreparation& ready) {
  const ProcessStart& start = ready.start;
  if (start.group == ProcessGroup::own && ::setpgid(0, 0) != 0) give_up(ready, StartStep::group);
  if (start.group == ProcessGroup::own_session && ::setsid() < 0) give_up(ready, StartStep::group);
  if (start.dies_with_caller) {
    if (::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) give_up(ready, StartStep::parent_death);
    if (::getppid() != ready.parent) ::_exit(127);  // the caller died before prctl
  }
  if (start.before_exec) start.before_exec();
  if (!start.folder.empty() && ::chdir(start.folder.c_str()) != 0) give_up(ready, StartStep::folder);
  pass_descriptors(ready);
  set_signals(start);
  ::execve(ready.argv[0], ready.argv.data(), start.environment ? ready.envp.data() : ::environ);
  give_up(ready, StartStep::program);
}

pid_t fork_with_signals_blocked(const StartPreparation& ready) {
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

/// Absent once exec has closed the pipe.
std::optional<StartMessage> read_message(int descriptor) {
  StartMessage message;
  ssize_t got = 0;
  do {
    got = ::read(descriptor, &message, sizeof message);
  } while (got < 0 && errno == EINTR);
  return got == static_cast<ssize_t>(sizeof message) ? std::optional(message) : std::nullopt;
}

}  // namespace

std::string text_of(const StartFailure& failure) {
  return fmt::format("cannot {} {}: {}", failure.step, failure.path.string(), std::strerror(failure.error));
}

StartedProcess start_process(const ProcessStart& start) {
  StartPreparation ready = prepare_start(start);
  const pid_t pid = fork_with_signals_blocked(ready);
  if (pid < 0) fail_to_start("cannot make a process", "raise the limit of processes: ulimit -u");
  ready.error_write.close();
  const std::optional<StartMessage> message = read_message(ready.error_read.number());
  if (!message) return {.pid = pid, .failure = std::nullopt};
  while (::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  return {.pid = 0,
          .failure = StartFailure{
              .step = start_step_names[static_cast<std::size_t>(message->step)],
              .path = message->step == StartStep::folder ? start.folder : std::filesystem::path(start.command.front()),
              .error = message->error}};
}

}  // namespace stepgate
