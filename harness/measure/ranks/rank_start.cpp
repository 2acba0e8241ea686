#include "measure/ranks/rank_start.h"

#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/error.h"

namespace stepgate {
namespace {

/// Everything that the child needs, prepared before fork(), since the child may not allocate.
struct Preparation {
  std::vector<char*> argv;
  cpu_set_t mask;
  bool pin = false;
  pid_t parent = 0;
};

Preparation prepare(const RankStart& start) {
  Preparation ready;
  for (const std::string& argument : start.command) ready.argv.push_back(const_cast<char*>(argument.c_str()));
  ready.argv.push_back(nullptr);
  CPU_ZERO(&ready.mask);
  for (const int cpu : start.cpus) CPU_SET(static_cast<std::size_t>(cpu), &ready.mask);
  ready.pin = !start.cpus.empty();
  ready.parent = ::getpid();
  return ready;
}

[[noreturn]] void become(const RankStart& start, const Preparation& ready) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != ready.parent) ::_exit(127);  // the parent died before prctl
  // Where this is refused, the rank runs on all CPUs of this process: its times are noisier, and still valid.
  if (ready.pin) static_cast<void>(::sched_setaffinity(0, sizeof ready.mask, &ready.mask));
  ::dup2(start.output, 1);
  ::dup2(start.output, 2);
  for (const int number : start.kept) ::fcntl(number, F_SETFD, 0);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execv(ready.argv[0], ready.argv.data());
  ::_exit(127);
}

}  // namespace

pid_t start_rank(const RankStart& start) {
  const Preparation ready = prepare(start);
  const pid_t pid = ::fork();
  if (pid == 0) become(start, ready);
  if (pid < 0) {
    throw Error(ErrorKind::measure, std::string("cannot make a process for a rank: ") + std::strerror(errno),
                "raise the limit of processes: ulimit -u");
  }
  return pid;
}

}  // namespace stepgate
