#include "experiment/plan/provenance.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "core/text/switch_text.h"
#include "system/command_output.h"
#include "system/repository.h"

namespace stepgate {
namespace {

namespace fs = std::filesystem;

/// A build folder that git does not ignore has tens of thousands of files.
constexpr std::size_t most_status_bytes = std::size_t{64} << 20U;

/// The first line that git prints about the repository of `folder`; "" where it cannot tell.
std::string first_line_of_git(const fs::path& folder, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"git", "-C", folder.string()});
  const std::string text = command_output(arguments);
  return text.substr(0, text.find_first_of("\r\n"));
}

/// Whether the file was generated: it lies in a folder of `made`, or of CMake, below the repository.
bool is_made(const fs::path& file, const fs::path& repository, const std::vector<fs::path>& made) {
  std::error_code missing;
  for (fs::path folder = file.parent_path(); folder != repository && folder != folder.parent_path();
       folder = folder.parent_path()) {
    if (fs::exists(folder / "CMakeCache.txt", missing)) return true;
    if (std::find(made.begin(), made.end(), folder) != made.end()) return true;
  }
  return false;
}

/// True where git's tree is not what its commit says.
bool has_changes(const fs::path& folder, const std::vector<fs::path>& made) {
  const fs::path repository = fs::weakly_canonical(first_line_of_git(folder, {"rev-parse", "--show-toplevel"}));
  std::vector<fs::path> real;
  for (const fs::path& one : made) real.push_back(fs::weakly_canonical(one));
  // Entries end with a zero byte: "XY path", "??" for what git does not know.
  const CommandEnd told =
      run_command({"git", "-C", folder.string(), "status", "--porcelain", "-z", "--untracked-files=all"},
                  {.most_bytes = most_status_bytes});
  if (told.status != 0) return true;  // git failed or reached its limit: nobody knows that the tree is clean
  const std::string& entries = told.printed;
  for (std::size_t begin = 0; begin < entries.size();) {
    const std::size_t end = std::min(entries.find('\0', begin), entries.size());
    const std::string entry = entries.substr(begin, end - begin);
    if (!entry.starts_with("?? ") || !is_made(repository / entry.substr(3), repository, real)) return true;
    begin = end + 1;
  }
  return false;
}

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

Instant now() {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  const std::string utc = text.data();
  return {static_cast<std::int64_t>(seconds), utc, utc.substr(0, 10)};
}

std::string commit_of(const fs::path& folder, const std::vector<fs::path>& made) {
  if (const std::string built_from = variable("STEPGATE_COMMIT"); !built_from.empty()) return built_from;
  // Without --verify, git prints "HEAD" where there is no commit yet.
  const std::string commit = first_line_of_git(folder, {"rev-parse", "--verify", "--quiet", "HEAD"});
  if (commit.empty()) return "";
  return has_changes(folder, made) ? commit + "-dirty" : commit;
}

std::string path_in_repository(const fs::path& file) {
  for (const fs::path& root : {fs::path(variable("STEPGATE_REPOSITORY")), fs::path(variable("GITHUB_WORKSPACE")),
                               repository_around(fs::weakly_canonical(file))}) {
    if (root.empty()) continue;
    const fs::path inside = fs::weakly_canonical(file).lexically_relative(fs::weakly_canonical(root));
    if (!inside.empty() && *inside.begin() != "..") return inside.generic_string();
  }
  return file.string();
}

bool in_ci() {
  const char* value = std::getenv("CI");
  return value != nullptr && switch_in(value).value_or(true);  // some services put their name there
}

}  // namespace stepgate
