#include "system/descendants.h"

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <system_error>

namespace stepgate {
namespace {

/// The kernel lists them for each thread.
std::vector<pid_t> children_of(pid_t pid) {
  std::vector<pid_t> children;
  std::error_code error;
  const std::filesystem::path tasks = std::filesystem::path("/proc") / std::to_string(pid) / "task";
  for (std::filesystem::directory_iterator thread(tasks, error), end; !error && thread != end;
       thread.increment(error)) {
    std::ifstream file(thread->path() / "children");
    for (pid_t child = 0; file >> child;) children.push_back(child);
  }
  return children;
}

}  // namespace

std::vector<pid_t> descendants_of(pid_t pid) {
  std::vector<pid_t> found;
  std::set<pid_t> seen;
  std::vector<pid_t> open = children_of(pid);
  while (!open.empty()) {
    const pid_t one = open.back();
    open.pop_back();
    if (!seen.insert(one).second) continue;
    found.push_back(one);
    const std::vector<pid_t> children = children_of(one);
    open.insert(open.end(), children.begin(), children.end());
  }
  return found;
}

}  // namespace stepgate
