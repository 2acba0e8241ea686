#include "experiment/plan/provenance.h"

#include <array>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "system/command_output.h"

namespace stepgate {
namespace {

/// The first line that git prints about the repository of `folder`; "" where it cannot tell.
std::string first_line_of_git(const std::filesystem::path& folder, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"git", "-C", folder.string()});
  const std::string text = command_output(arguments);
  return text.substr(0, text.find_first_of("\r\n"));
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

std::string commit_of(const std::filesystem::path& folder) {
  if (const std::string built_from = variable("STEPGATE_COMMIT"); !built_from.empty()) return built_from;
  // Without --verify, git prints "HEAD" where there is no commit yet.
  const std::string commit = first_line_of_git(folder, {"rev-parse", "--verify", "--quiet", "HEAD"});
  if (commit.empty()) return "";
  const bool dirty = !first_line_of_git(folder, {"status", "--porcelain", "--untracked-files=no"}).empty();
  return dirty ? commit + "-dirty" : commit;
}

std::string path_in_repository(const std::filesystem::path& file) {
  namespace fs = std::filesystem;
  const std::string roots[] = {variable("STEPGATE_REPOSITORY"), variable("GITHUB_WORKSPACE"),
                               first_line_of_git(file.parent_path(), {"rev-parse", "--show-toplevel"})};
  for (const std::string& root : roots) {
    if (root.empty()) continue;
    const fs::path inside = fs::weakly_canonical(file).lexically_relative(fs::weakly_canonical(root));
    if (!inside.empty() && *inside.begin() != "..") return inside.generic_string();
  }
  return file.string();
}

bool in_ci() {
  const char* value = std::getenv("CI");
  return value != nullptr && *value != '\0' && std::string(value) != "false" && std::string(value) != "0";
}

}  // namespace stepgate
