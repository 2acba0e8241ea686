#include "measure/ranks/rank_start.h"

#include <sched.h>
#include <unistd.h>

#include "core/error.h"
#include "system/start_process.h"

namespace stepgate {

pid_t start_rank(const RankStart& start) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  for (const int cpu : start.cpus) CPU_SET(static_cast<std::size_t>(cpu), &mask);
  ProcessStart process{.command = start.command,
                       .descriptors = {{start.output, STDOUT_FILENO}, {start.output, STDERR_FILENO}},
                       .dies_with_caller = true,
                       .keeps_ignored_signals = true};
  for (const int number : start.kept) process.descriptors.push_back({number, number});
  if (!start.cpus.empty()) {
    // If the kernel refuses, the rank runs on all CPUs of this process: its times scatter more and stay correct.
    process.before_exec = [&mask] { static_cast<void>(::sched_setaffinity(0, sizeof mask, &mask)); };
  }
  const StartedProcess started = start_process(process);
  if (!started.failure) return started.pid;
  throw Error(ErrorKind::measure, "a rank does not start: " + text_of(*started.failure),
              "check that the program is still there and may be executed");
}

}  // namespace stepgate
