#include "cli/options/option_table.h"

#include <algorithm>
#include <utility>

#include "cli/command_table.h"
#include "cli/options/general.h"

namespace stepgate {
namespace {

void add_command(std::vector<KnownOption>& known, const OptionRow& row, std::string_view command) {
  const auto found =
      std::find_if(known.begin(), known.end(), [&](const KnownOption& one) { return one.name == row.name; });
  if (found != known.end()) {
    found->commands += ", " + std::string(command);
    found->may_stand_alone = found->may_stand_alone || row.into.may_stand_alone;
    return;
  }
  known.push_back({row.name, row.into.is_switch, row.into.accepts, std::string(command), row.into.may_stand_alone});
}

std::vector<KnownOption> known_options() {
  std::vector<std::pair<std::string_view, OptionRows>> commands;
  for (const CommandRow& command : command_table()) {
    if (is_in_this_program(command)) commands.emplace_back(command.name, begin_call(command).rows);
  }
  std::vector<KnownOption> known;
  for (const Topic topic : topics) {
    for (const auto& [command, rows] : commands) {
      for (const OptionRow& row : rows) {
        if (row.topic == topic) add_command(known, row, command);
      }
    }
  }
  General general;
  for (const OptionRow& row : rows_of(general)) known.push_back({row.name, row.into.is_switch, row.into.accepts, ""});
  return known;
}

}  // namespace

const std::vector<KnownOption>& option_table() {
  static const std::vector<KnownOption> table = known_options();
  return table;
}

const KnownOption* find_option(std::string_view name) {
  const auto& table = option_table();
  const auto found = std::find_if(table.begin(), table.end(), [&](const KnownOption& one) { return one.name == name; });
  return found == table.end() ? nullptr : &*found;
}

}  // namespace stepgate
