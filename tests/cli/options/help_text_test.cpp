#include "cli/options/help_text.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "cli/command_line.h"
#include "cli/command_table.h"
#include "cli/options/option_table.h"
#include "support/golden.h"

namespace stepgate {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(CommandTable, EachCommandHasATextAndAFunction) {
  std::set<std::string_view> names;
  for (const CommandRow& row : command_table()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_GE(row.summary.size(), 10u) << row.name;
    EXPECT_FALSE(row.summary.ends_with(".")) << row.name;
    ASSERT_TRUE(is_in_this_program(row)) << row.name;
    EXPECT_NE(begin_call(row).run, nullptr) << row.name;
  }
}

TEST(CommandTable, EachExampleParsesAsItsCommand) {
  for (const CommandRow& row : command_table()) {
    std::string line(row.example);
    line.erase(0, line.find("stepgate ") + 9);
    EXPECT_EQ(refusal_of(line), "") << row.example;
    EXPECT_EQ(command_line_of(line).command, row.name) << row.example;
  }
}

TEST(HelpText, GoldenOfAllCommandsByTask) { expect_golden("cli/help.txt", help_text("")); }

TEST(HelpText, GoldenOfTheBaselineCommands) { expect_golden("cli/help_baseline.txt", help_text("baseline")); }

TEST(HelpText, GoldenOfSingleCommands) {
  expect_golden("cli/help_gate.txt", help_text("gate"));
  expect_golden("cli/help_profile.txt", help_text("profile"));
  expect_golden("cli/help_recover.txt", help_text("recover"));
}

TEST(HelpText, ShowsOnlyTheOptionsOfTheCommand) {
  for (const CommandRow& command : command_table()) {
    const std::string text = help_text(std::string(command.name));
    const OptionRows rows = begin_call(command).rows;
    for (const KnownOption& option : option_table()) {
      const std::string line = "\n  --" + std::string(option.name) + " ";
      const bool taken =
          std::any_of(rows.begin(), rows.end(), [&](const OptionRow& row) { return row.name == option.name; });
      EXPECT_EQ(text.find(line) != std::string::npos, taken || option.name == "help")
          << command.name << " --" << option.name;
    }
  }
}

TEST(HelpText, ListsNoOptionThatTheCommandRefuses) {
  for (const CommandRow& command : command_table()) {
    for (const OptionRow& row : begin_call(command).rows) {
      if (row.into.is_switch) continue;
      const std::string line = std::string(command.name) + " --" + std::string(row.name);
      const std::string value = row.into.choices.empty() ? "8" : std::string(row.into.choices.back());
      EXPECT_THAT(refusal_of(line + " " + value), Not(HasSubstr("does not take"))) << line;
    }
  }
}

TEST(HelpText, FitsATerminalOf110Columns) {
  for (const char* command : {"", "gate", "baseline", "ab", "profile"}) {
    std::istringstream lines(help_text(command));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 110u) << line;
  }
}

}  // namespace
}  // namespace stepgate
