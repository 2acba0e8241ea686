#include "measure/ranks/rank_start.h"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <string_view>

#include "core/error.h"
#include "system/start_process.h"

namespace stepgate {
namespace {

std::string_view name_of_variable(std::string_view text) { return text.substr(0, text.find('=')); }

/// The environment of this process with `variables` in place of those of their names.
std::vector<std::string> environment_with(const std::vector<std::string>& variables) {
  std::vector<std::string> all = variables;
  for (char** entry = ::environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view name = name_of_variable(*entry);
    const bool replaced = std::any_of(variables.begin(), variables.end(),
                                      [&](const std::string& one) { return name_of_variable(one) == name; });
    if (!replaced) all.emplace_back(*entry);
  }
  return all;
}

}  // namespace

pid_t start_rank(const RankStart& start) {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  for (const int cpu : start.cpus) CPU_SET(static_cast<std::size_t>(cpu), &mask);
  ProcessStart process{.command = start.command,
                       .descriptors = {{start.output, STDOUT_FILENO}, {start.output, STDERR_FILENO}},
                       .dies_with_caller = true,
                       .keeps_ignored_signals = true};
  if (!start.variables.empty()) process.environment = environment_with(start.variables);
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
