#include "cli/options/usage_error.h"

#include <fmt/format.h>

#include <optional>
#include <vector>

#include "cli/command_table.h"
#include "cli/options/general.h"
#include "core/text/excerpt.h"
#include "system/nearest_name.h"

namespace stepgate {
namespace {

std::optional<std::string_view> nearest_command(const std::string& name) {
  std::vector<std::string_view> names;
  for (const CommandRow& row : command_table()) {
    if (row.name.ends_with(" " + name)) return row.name;
    names.push_back(row.name);
  }
  return nearest_name(name, names);
}

/// The nearest option that the command takes; if none is near, the nearest of any command.
std::string nearest_option(const std::string& name, const std::string& command) {
  std::vector<std::string_view> all;
  for (const KnownOption& option : option_table()) all.push_back(option.name);
  const CommandRow* row = find_command(command);
  if (row == nullptr) return std::string(nearest_name(name, all).value_or(""));
  General general;
  std::vector<std::string_view> own;
  const CommandCall call = begin_call(*row);
  for (const OptionRow& option : joined({call.rows, rows_of(general)})) own.push_back(option.name);
  const auto near = nearest_name(name, own);
  return std::string(near ? *near : nearest_name(name, all).value_or(""));
}

std::string all_options_of(const std::string& command) {
  return command.empty() ? "all commands: stepgate --help"
                         : fmt::format("options of {}: stepgate {} --help", command, command);
}

std::string without_dashes(const std::string& option) {
  const auto first = option.find_first_not_of('-');
  return first == std::string::npos ? "" : option.substr(first);
}

}  // namespace

Error unknown_command(const std::string& name) {
  const auto near = nearest_command(name);
  return {ErrorKind::usage, fmt::format("there is no command '{}'", excerpt(name)),
          (near ? fmt::format("did you mean 'stepgate {}'? ", *near) : "") + "all commands: stepgate --help"};
}

Error first_word_alone(const std::string& word) {
  std::string commands;
  for (const CommandRow& row : command_table()) {
    if (!row.name.starts_with(word + " ")) continue;
    commands += (commands.empty() ? "" : ", ") + std::string(row.name.substr(word.size() + 1));
  }
  return {ErrorKind::usage, fmt::format("{} needs a second word: {}", word, commands),
          fmt::format("what each does: stepgate {} --help", word)};
}

Error no_command(const std::string& first_word) {
  return {ErrorKind::usage, fmt::format("the command is missing before '{}'", excerpt(first_word)),
          "stepgate COMMAND [OPTION...]; all commands: stepgate --help"};
}

Error unknown_option(const std::string& option, const std::string& command) {
  const std::string near = nearest_option(without_dashes(option), command);
  return {ErrorKind::usage, fmt::format("there is no option '{}'", excerpt(option)),
          (near.empty() ? "" : fmt::format("did you mean '--{}'? ", near)) + all_options_of(command)};
}

Error foreign_option(const KnownOption& option, const std::string& command) {
  return {
      ErrorKind::usage, fmt::format("{} does not take --{}", command, option.name),
      fmt::format("leave it out, or use a command that takes it ({}); {}", option.commands, all_options_of(command))};
}

Error bad_value(const OptionValue& into, const std::string& source, const std::string& value) {
  const auto near = nearest_name(value, into.choices);
  return {ErrorKind::usage, fmt::format("{} does not accept '{}'", source, excerpt(value)),
          near ? fmt::format("did you mean '{}'? {}", *near, into.accepts) : fmt::format("give {}", into.accepts)};
}

Error value_of_switch(const std::string& source) {
  return {ErrorKind::usage, fmt::format("{} takes no value", source), fmt::format("give {} alone", source)};
}

Error bad_switch_variable(const std::string& variable, const std::string& value) {
  return {ErrorKind::usage, fmt::format("{} does not accept '{}'", variable, excerpt(value)),
          "give 1, true, yes or on; or 0, false, no, off or nothing"};
}

Error value_is_missing(const KnownOption& option) {
  return {ErrorKind::usage, fmt::format("--{} needs a value", option.name), fmt::format("give {}", option.accepts)};
}

Error option_for_value(const std::string& name, const std::string& value) {
  return {ErrorKind::usage,
          fmt::format("--{} needs a value, and '{}' behind it looks like an option", name, excerpt(value)),
          fmt::format("give the value first; if '{1}' is meant, write --{0}={1}", name, excerpt(value))};
}

Error given_twice(std::string_view option) {
  return {ErrorKind::usage, fmt::format("--{} is given twice", option), "give it once"};
}

}  // namespace stepgate
