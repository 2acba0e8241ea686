#include "environment/process/paused_process.h"

#include <fmt/format.h>
#include <signal.h>

#include <cerrno>
#include <chrono>
#include <thread>

#include "system/files/pseudo_file.h"

namespace stepgate {
namespace {

std::optional<ProcessIdentity> same_process(const HostFiles& files, const std::string& target) {
  const auto words = words_of(target);
  if (words.size() != 2) return std::nullopt;
  const auto pid = integer_from(words[0]);
  const auto found = pid ? process_identity(files, static_cast<int>(*pid)) : std::nullopt;
  if (!found || found->start_ticks != words[1]) return std::nullopt;
  return found;
}

}  // namespace

std::optional<ProcessIdentity> process_identity(const HostFiles& files, int pid) {
  const auto stat = files.read(fmt::format("/proc/{}/stat", pid));
  if (!stat) return std::nullopt;
  const std::size_t name_end = stat->rfind(')');
  if (name_end == std::string::npos) return std::nullopt;
  const auto words = words_of(std::string_view(*stat).substr(name_end + 1));  // from field 3 on
  constexpr std::size_t start_ticks = 22 - 3;
  if (words.size() <= start_ticks || words.front().size() != 1) return std::nullopt;
  return ProcessIdentity{pid, std::string(words[start_ticks]), words.front().front()};
}

std::optional<std::string> state_of(const HostFiles& files, const std::string& target) {
  const auto found = same_process(files, target);
  if (!found) return std::nullopt;
  return found->state == 'T' || found->state == 't' ? "stopped" : "running";
}

int stop_same_process(HostFiles& files, const std::string& target) {
  const int error = signal_same_process(files, target, SIGSTOP);
  for (int round = 0; error == 0 && round < 500 && state_of(files, target) == "running"; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return error;
}

int signal_same_process(HostFiles& files, const std::string& target, int number) {
  const auto found = same_process(files, target);
  return found ? files.send_signal(found->pid, number) : ESRCH;
}

}  // namespace stepgate
