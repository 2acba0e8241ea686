#include "launch/runners/engine_call.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>

#include "system/command_output.h"

namespace stepgate {
namespace {

/// A line that no engine prints: it comes last, and only after success.
constexpr const char* success = "stepgate-engine-call-succeeded";

}  // namespace

std::optional<std::vector<std::string>> engine_lines(const std::vector<std::string>& command,
                                                     const std::string& input) {
  std::vector<std::string> shell = {"sh", "-c", fmt::format("\"$@\" && echo && echo {}", success), "sh"};
  shell.insert(shell.end(), command.begin(), command.end());
  CommandInput asked;
  asked.text = input;
  std::istringstream printed(command_output(shell, asked));
  std::vector<std::string> lines;
  for (std::string line; std::getline(printed, line);) {
    if (line == success) return lines;
    if (!line.empty()) lines.push_back(line);
  }
  return std::nullopt;
}

std::string comma_list(const std::vector<std::int64_t>& numbers) { return fmt::format("{}", fmt::join(numbers, ",")); }

}  // namespace stepgate
