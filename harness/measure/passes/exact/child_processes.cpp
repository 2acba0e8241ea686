#include "measure/passes/exact/child_processes.h"

#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <system_error>

#include "system/files/pseudo_file.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

std::string last_word(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  const std::size_t space = text.rfind(' ');
  return std::string(space == std::string_view::npos ? text : text.substr(space + 1));
}

/// "4711 (a name) S 4700 ...": the number of the parent is the second word after the name, which may have brackets.
std::string parent_in(std::string_view stat) {
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string_view::npos || name_end + 4 >= stat.size()) return "";
  stat.remove_prefix(name_end + 4);  // ") S "
  return std::string(stat.substr(0, stat.find(' ')));
}

bool is_number(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

bool has_own_children() {
  siginfo_t ended{};
  return ::waitid(P_ALL, 0, &ended, WEXITED | WNOHANG | WNOWAIT | __WALL) == 0 || errno != ECHILD;
}

std::string ChildProcesses::parent_of(const std::string& process) {
  std::string stat;
  read_to_end(process_.parent_path() / process / "stat", stat);
  return parent_in(stat);
}

std::optional<std::vector<std::string>> ChildProcesses::ids() {
  if (!has_any_()) return std::vector<std::string>{};
  const fs::path all = process_.parent_path();
  std::string load;
  std::string stat;
  if (!read_to_end(all / "loadavg", load) || !read_to_end(process_ / "stat", stat)) return std::nullopt;
  const std::string own = stat.substr(0, stat.find(' '));
  const auto is_no_child = [&](const std::string& process) { return parent_of(process) != own; };
  // Its last word is the number of the process or thread that was started last on this machine.
  std::string last_started = last_word(load);
  if (last_started == last_started_) {
    std::erase_if(found_, is_no_child);
    return found_;
  }
  last_started_ = std::move(last_started);
  found_.clear();
  std::error_code error;
  for (fs::directory_iterator at(all, error); !error && at != fs::directory_iterator(); at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (is_number(name) && !is_no_child(name)) found_.push_back(name);
  }
  return found_;
}

}  // namespace stepgate
