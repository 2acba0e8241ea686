#include "cli/options/help_text.h"

#include <fmt/format.h>

#include "cli/command_table.h"
#include "cli/options/general.h"
#include "report/text/clean_text.h"

namespace stepgate {
namespace {

constexpr std::size_t name_columns = 17;
constexpr std::size_t option_columns = 26;
constexpr std::size_t help_columns = 78;

std::string_view title_of(Topic topic) {
  switch (topic) {
    case Topic::places:
      return "Folders and names";
    case Topic::cases:
      return "Cases";
    case Topic::measuring:
      return "Measuring";
    case Topic::machine:
      return "Quiet machine";
    case Topic::pairs:
      return "Pairs, seeds and sweeps";
    case Topic::nodes:
      return "Many machines";
    case Topic::profile:
      return "Profile";
    case Topic::history:
      return "History";
    case Topic::baselines:
      return "Baselines and failures";
    case Topic::output:
      return "Output";
  }
  return "";
}

std::string command_lines(const CommandRow& row) {
  return fmt::format("  {:<{}} {}\n  {:<{}}   {}\n", row.name, name_columns, row.summary, "", name_columns,
                     row.example);
}

std::string all_commands() {
  std::string text =
      "stepgate: a performance regression gate for LibTorch training code\n\n"
      "usage: stepgate COMMAND [ARGUMENT...] [OPTION...]\n"
      "       stepgate COMMAND --help     the options of one command\n"
      "       stepgate --version\n";
  for (const Task task : tasks) {
    text += fmt::format("\n{}\n", title_of(task));
    for (const CommandRow& row : command_table()) {
      if (row.task == task) text += command_lines(row);
    }
  }
  return text +
         "\nexit status: 0 pass or improved, 1 regressed, 2 usage or configuration, 3 could not measure,\n"
         "4 inconclusive, 5 baseline missing or incompatible, 77 skipped, 128+n stopped by signal n\n";
}

std::string commands_of(const std::string& word) {
  std::string text = fmt::format("usage: stepgate {} COMMAND [ARGUMENT...] [OPTION...]\n\n", word);
  std::string_view first;
  for (const CommandRow& row : command_table()) {
    if (!row.name.starts_with(word + " ")) continue;
    if (first.empty()) first = row.name;
    text += command_lines(row);
  }
  return text + fmt::format("\nthe options of one command, e.g.: stepgate {} --help\n", first);
}

/// The option on the left, its help wrapped on the right; below each other where the left side is long.
std::string option_lines(const OptionRow& row) {
  const std::string left = fmt::format("  --{}{}{}", row.name, row.value.empty() ? "" : " ", row.value);
  const std::string help = std::string(row.help) + (row.variable.empty() ? "" : fmt::format(" [{}]", row.variable));
  std::string text = left;
  bool beside = left.size() < option_columns;
  if (!beside) text += "\n";
  for (const std::string& line : wrapped(help, help_columns)) {
    text += fmt::format("{:{}}{}\n", "", beside ? option_columns - left.size() : option_columns, line);
    beside = false;
  }
  return text;
}

std::string one_command(const CommandRow& command) {
  std::string text =
      fmt::format("usage: stepgate {}{}{} [OPTION...]\n\n{}\n\nexample\n  {}\n", command.name,
                  command.arguments.empty() ? "" : " ", command.arguments, command.summary, command.example);
  const CommandCall call = begin_call(command);
  General general;
  const OptionRows all_rows = joined({call.rows, rows_of(general)});
  for (const Topic topic : topics) {
    std::string lines;
    for (const OptionRow& row : all_rows) {
      if (row.topic == topic && row.name != "version") lines += option_lines(row);
    }
    if (!lines.empty()) text += fmt::format("\n{}\n{}", title_of(topic), lines);
  }
  return text + "\n[STEPGATE_...] is an environment variable that sets the option too; the option wins over it.\n";
}

}  // namespace

std::string help_text(const std::string& command) {
  if (begins_commands(command)) return commands_of(command);
  const CommandRow* row = find_command(command);
  return row == nullptr ? all_commands() : one_command(*row);
}

}  // namespace stepgate
