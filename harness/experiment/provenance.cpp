#include "experiment/provenance.h"

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <memory>

namespace stepgate {
namespace {

/// First line of what a command prints, "" on failure. `folder` is quoted for the shell.
std::string first_line_of(const std::string& git_words, const std::filesystem::path& folder) {
  std::string quoted = "'";
  for (char c : folder.string()) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  const std::string command = "git -C " + quoted + "' " + git_words + " 2>/dev/null";
  const auto close = [](std::FILE* stream) { pclose(stream); };
  const std::unique_ptr<std::FILE, decltype(close)> pipe(popen(command.c_str(), "r"), close);
  std::array<char, 256> line{};
  if (!pipe || std::fgets(line.data(), static_cast<int>(line.size()), pipe.get()) == nullptr) return "";
  std::string text = line.data();
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  return text;
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
  const std::string commit = first_line_of("rev-parse --short=12 HEAD", folder);
  if (commit.empty()) return "";
  const bool dirty = !first_line_of("status --porcelain --untracked-files=no", folder).empty();
  return dirty ? commit + "-dirty" : commit;
}

std::string path_in_repository(const std::filesystem::path& file) {
  namespace fs = std::filesystem;
  const std::string roots[] = {variable("STEPGATE_REPOSITORY"), variable("GITHUB_WORKSPACE"),
                               first_line_of("rev-parse --show-toplevel", file.parent_path())};
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
