// All commands of stepgate: one row each. main.cpp runs a command from its row, and the help is printed from the rows.
#pragma once

#include <span>
#include <string_view>

#include "cli/command_call.h"

namespace stepgate {

/// What a user wants to do; `stepgate --help` shows the commands by task.
enum class Task { start, measure, understand, baselines, history, machine, explore };
inline constexpr Task tasks[] = {Task::start,   Task::measure, Task::understand, Task::baselines,
                                 Task::history, Task::machine, Task::explore};

/// The heading of a task in the help.
std::string_view title_of(Task task);

struct CommandRow {
  std::string_view name;       ///< "gate", "baseline accept"
  std::string_view arguments;  ///< as the usage line shows them: "[CASE...]"
  std::string_view summary;    ///< one line without a full stop
  Task task = Task::measure;
  std::string_view example;         ///< a whole command line that parses
  CommandCall (*call)() = nullptr;  ///< call_of() of its function; nullptr: a study, see study_parts.h
};

std::span<const CommandRow> command_table();

/// Whether the program that runs contains the command; stepgate-studies contains all.
bool is_in_this_program(const CommandRow& row);

/// A call with every option at its default. Goes on as stepgate-studies where only that program contains the command.
CommandCall begin_call(const CommandRow& row);

/// Whether `word` alone is not a command but begins some: "baseline".
bool begins_commands(std::string_view word);

/// Null where no command has that name.
const CommandRow* find_command(std::string_view name);

}  // namespace stepgate
