#include "launch/process/left_behind.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>

#include "core/text/printable_text.h"
#include "environment/process/child_usage.h"
#include "system/elapsed.h"
#include "system/files/pseudo_file.h"

namespace stepgate {
namespace {

struct OwnChild {
  pid_t pid = 0;
  std::string name;
  std::string group;       ///< number of its process group
  bool has_ended = false;  ///< and waits to be reaped
};

/// A line of /proc/PID/stat: "42 (a name) S 1 ...". Absent where it belongs to another parent.
std::optional<OwnChild> own_child_in(std::string_view stat) {
  const std::size_t name_begin = stat.find('(');
  const std::size_t name_end = stat.rfind(')');
  if (name_begin == std::string_view::npos || name_end == std::string_view::npos) return std::nullopt;
  const auto words = words_of(stat.substr(name_end + 1));
  if (words.size() < 3 || words[1] != std::to_string(::getpid())) return std::nullopt;
  // A program may give itself any name.
  std::string name = printable_text(stat.substr(name_begin + 1, name_end - name_begin - 1));
  return OwnChild{.pid = 0,
                  .name = std::move(name),
                  .group = std::string(words[2]),
                  .has_ended = words[0] == "Z" || words[0] == "X"};
}

std::vector<OwnChild> own_children() {
  std::vector<OwnChild> children;
  std::error_code ended;
  for (std::filesystem::directory_iterator entry("/proc", ended), end; !ended && entry != end; entry.increment(ended)) {
    const auto pid = integer_from(entry->path().filename().string());
    const auto stat = pid ? read_pseudo_file(entry->path() / "stat") : std::nullopt;
    auto child = stat ? own_child_in(*stat) : std::nullopt;
    if (!child) continue;
    child->pid = static_cast<pid_t>(*pid);
    children.push_back(*std::move(child));
  }
  return children;
}

}  // namespace

LeftBehind::LeftBehind() {
  // A kernel that refuses hands them to process 1: then only those of the process group are found.
  static_cast<void>(::prctl(PR_GET_CHILD_SUBREAPER, &was_subreaper_));
  static_cast<void>(::prctl(PR_SET_CHILD_SUBREAPER, 1));
  for (const OwnChild& child : own_children()) before_.insert(child.pid);
}

LeftBehind::~LeftBehind() { static_cast<void>(::prctl(PR_SET_CHILD_SUBREAPER, was_subreaper_)); }

EndedLeftBehind LeftBehind::end_all(pid_t killed_group) const {
  const auto start = std::chrono::steady_clock::now();
  EndedLeftBehind ended;
  std::set<pid_t> killed;
  // Each that ends may hand over children of its own.
  for (;;) {
    bool is_any_left = false;
    for (const OwnChild& child : own_children()) {
      if (before_.contains(child.pid)) continue;
      is_any_left = true;
      const bool is_news = !child.has_ended && child.group != std::to_string(killed_group);
      if (is_news && killed.insert(child.pid).second) {
        ended.names.push_back(fmt::format("{} ({})", child.name, child.pid));
      }
      if (!child.has_ended) ::kill(child.pid, SIGKILL);
      rusage usage{};
      if (::wait4(child.pid, nullptr, WNOHANG, &usage) == child.pid) ended.cpu_s += cpu_seconds(usage);
    }
    if (!is_any_left || seconds_since(start) > left_behind_patience_s) return ended;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

}  // namespace stepgate
