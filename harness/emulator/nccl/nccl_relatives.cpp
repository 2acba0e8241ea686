#include "emulator/nccl/nccl_relatives.h"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

namespace stepgate::emulator {
namespace {

/// A look reads a file of each process of the host.
constexpr std::chrono::milliseconds look_at_relatives_every{250};
constexpr std::chrono::seconds few_for{2};

/// 0 where the name is not that of a process.
int pid_of_name(const std::string& name) {
  int pid = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
  return error == std::errc() && end == name.data() + name.size() ? pid : 0;
}

}  // namespace

bool has_ended(int pid) {
  const int process = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
  if (process < 0) return errno == ESRCH;
  pollfd asked{process, POLLIN, 0};
  const bool ended = ::poll(&asked, 1, 0) == 1;
  ::close(process);
  return ended;
}

std::vector<ProcessRow> running_processes() {
  std::vector<ProcessRow> all;
  std::error_code error;
  for (std::filesystem::directory_iterator entry("/proc", error), end; !error && entry != end; entry.increment(error)) {
    const int pid = pid_of_name(entry->path().filename().string());
    if (pid == 0) continue;
    if (std::optional<ProcessRow> row = process_row(pid)) all.push_back(std::move(*row));
  }
  return all;
}

std::vector<ProcessRow> relatives_of(int own, const std::vector<ProcessRow>& all) {
  const auto self = std::find_if(all.begin(), all.end(), [own](const ProcessRow& row) { return row.pid == own; });
  if (self == all.end()) return {};
  const auto those_of = [&](int parent) {
    std::vector<ProcessRow> found;
    for (const ProcessRow& row : all) {
      if (row.parent == parent && row.pid != own && row.program == self->program) found.push_back(row);
    }
    return found;
  };
  std::vector<ProcessRow> children = those_of(own);
  // Who lost its parent is a child of the process 1, and no relative of the others there.
  return !children.empty() || self->parent <= 1 ? children : those_of(self->parent);
}

bool NcclRelatives::are_too_few(int missing, const std::set<int>& come) {
  const Clock::time_point now = Clock::now();
  if (now - last_look_ < look_at_relatives_every) return false;
  last_look_ = now;
  return are_too_few(missing, come, running_processes(), now);
}

bool NcclRelatives::are_too_few(int missing, const std::set<int>& come, const std::vector<ProcessRow>& all,
                                Clock::time_point now) {
  std::set<int> living;
  for (const ProcessRow& row : relatives_of(own_, all)) {
    if (row.has_ended) has_one_ended_ = true;
    if (!row.has_ended && come.count(row.pid) == 0) living.insert(row.pid);
  }
  for (const int before : living_) {
    if (living.count(before) == 0 && come.count(before) == 0) has_one_ended_ = true;
  }
  living_ = living;
  const bool is_few = has_one_ended_ && static_cast<int>(living.size()) < missing;
  if (!is_few) few_since_ = Clock::time_point::max();
  if (is_few && few_since_ == Clock::time_point::max()) few_since_ = now;
  return is_few && now - few_since_ >= few_for;
}

}  // namespace stepgate::emulator
