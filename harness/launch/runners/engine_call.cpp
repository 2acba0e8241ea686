#include "launch/runners/engine_call.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>

#include "system/command_output.h"

namespace stepgate {

std::optional<std::vector<std::string>> engine_lines(const std::vector<std::string>& command,
                                                     const std::string& input) {
  // A signal does not end it: jobs that nobody knows could not be cancelled.
  const CommandEnd end = run_command(command, {.text = input, .ends_on_signal = false});
  if (end.status != 0) return std::nullopt;
  std::istringstream printed(end.printed);
  std::vector<std::string> lines;
  for (std::string line; std::getline(printed, line);) {
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

std::string comma_list(const std::vector<std::int64_t>& numbers) { return fmt::format("{}", fmt::join(numbers, ",")); }

}  // namespace stepgate
