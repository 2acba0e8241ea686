#include "cli/options/option_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <set>
#include <sstream>
#include <tuple>
#include <type_traits>

#include "cli/command_table.h"
#include "cli/commands/command_ab.h"
#include "cli/commands/command_baseline.h"
#include "cli/commands/command_check.h"
#include "cli/commands/command_compare.h"
#include "cli/commands/command_gate.h"
#include "cli/commands/command_list.h"
#include "cli/commands/command_recover.h"
#include "cli/commands/command_report.h"
#include "cli/commands/command_run.h"
#include "cli/studies/command_ablate.h"
#include "cli/studies/command_doctor.h"
#include "cli/studies/command_history.h"
#include "cli/studies/command_init.h"
#include "cli/studies/command_merge.h"
#include "cli/studies/command_plan.h"
#include "cli/studies/command_profile.h"
#include "cli/studies/command_shard_run.h"
#include "cli/studies/command_sweep.h"

namespace stepgate {
namespace {

struct CommandOption {
  std::string_view command;
  OptionRow row;
};

/// What is known about the options of every command; the calls are gone, so that nothing can be set.
std::vector<CommandOption> all_rows() {
  std::vector<CommandOption> all;
  for (const CommandRow& command : command_table()) {
    for (const OptionRow& row : begin_call(command).rows) all.push_back({command.name, row});
  }
  return all;
}

/// A value that differs from the default and is accepted; what is not named here takes any text.
std::string sample_value(const OptionRow& row) {
  static const std::map<std::string_view, std::string> of_checked_text = {
      {"law", "saved_bytes"}, {"memory", "1000000"}, {"most-growth", "0"},
      {"param", "a=1"},       {"request-rate", "5"}, {"device", "emulated:h100"}};
  if (const auto checked = of_checked_text.find(row.name); checked != of_checked_text.end()) return checked->second;
  static const std::map<std::string_view, std::string> samples = {
      {"tier", "exact"},     {"replicates", "7"}, {"exact-replicates", "7"}, {"threads", "3"},
      {"seed", "11"},        {"steps", "e2e=60"}, {"malloc", "system"},      {"timeout", "1.5"},
      {"session-gap", "60"}, {"guard", "host"},   {"gpu-clock", "1200"},     {"gpu-memory-clock", "1200"},
      {"wait-lock", "5"},    {"pairs", "8"},      {"interleave", "windows"}, {"order-seed", "5"},
      {"budget", "60"},      {"seeds", "8"},      {"seed-steps", "100"},     {"color", "never"},
      {"phase", "kind"},     {"prove", "all"},    {"schedule", "active=5"},  {"sort", "total"},
      {"by", "line"},        {"rows", "7"},       {"shards", "3"},           {"layout", "case"},
      {"attempt", "1"},      {"sequence", "12"},
  };
  const auto found = samples.find(row.name);
  return found == samples.end() ? "text" : found->second;
}

/// Which bytes of the options the row changes. Two rows that share none set different fields.
template <typename Command>
std::map<std::string_view, std::set<std::size_t>> changed_bytes() {
  std::map<std::string_view, std::set<std::size_t>> changed;
  const std::size_t count = [] {
    Command options;
    return rows_of(options).size();
  }();
  for (std::size_t index = 0; index < count; ++index) {
    Command options;
    const OptionRows rows = rows_of(options);
    const OptionRow& row = rows[index];
    std::vector<unsigned char> before(sizeof(Command));
    std::memcpy(before.data(), static_cast<const void*>(&options), sizeof(Command));
    EXPECT_TRUE(row.into.set(row.into.is_switch ? "" : sample_value(row))) << row.name;
    const auto* after = reinterpret_cast<const unsigned char*>(&options);
    for (std::size_t byte = 0; byte < sizeof(Command); ++byte) {
      if (before[byte] != after[byte]) changed[row.name].insert(byte);
    }
    EXPECT_FALSE(changed[row.name].empty()) << "--" << row.name << " sets nothing";
  }
  return changed;
}

template <typename Command>
void expect_fields_of_their_own() {
  const auto changed = changed_bytes<Command>();
  for (const auto& [name, bytes] : changed) {
    for (const auto& [other, others] : changed) {
      if (name >= other || (name == "build" && other == "head-build")) continue;
      for (const std::size_t byte : bytes) EXPECT_FALSE(others.contains(byte)) << "--" << name << " and --" << other;
    }
  }
}

/// One for each row of the table of commands.
using Commands =
    std::tuple<InitCommand, GateCommand, RunCommand, CheckCommand, ListCommand, ReportCommand, CompareCommand,
               BaselineAcceptCommand, BaselineDiffCommand, BaselineLintCommand, BaselineShowCommand, HistoryAddCommand,
               HistoryImportCommand, HistoryShowCommand, HistoryCheckCommand, HistoryAckCommand, HistoryPlotCommand,
               HistoryExportCommand, DoctorCommand, AblateCommand, RecoverCommand, AbCommand, PlanAbCommand,
               PlanSweepCommand, ShardRunCommand, MergeCommand, SweepCommand, ProfileCommand>;

TEST(OptionTable, EachRowSetsAFieldOfItsOwnExceptTheTwoNamesOfTheBuild) {
  EXPECT_EQ(std::tuple_size_v<Commands>, command_table().size());
  std::apply([](const auto&... command) { (expect_fields_of_their_own<std::decay_t<decltype(command)>>(), ...); },
             Commands());
}

TEST(OptionTable, NamesAreUniqueWithinACommand) {
  std::set<std::pair<std::string_view, std::string_view>> names;
  for (const auto& [command, row] : all_rows()) {
    EXPECT_TRUE(names.insert({command, row.name}).second) << command << " --" << row.name;
  }
}

TEST(OptionTable, AnOptionIsTheSameInEveryCommand) {
  std::map<std::string_view, OptionRow> first;
  for (const auto& [command, row] : all_rows()) {
    const OptionRow& other = first.emplace(row.name, row).first->second;
    EXPECT_EQ(other.topic, row.topic) << command << " --" << row.name;
    EXPECT_EQ(other.value, row.value) << command << " --" << row.name;
    EXPECT_EQ(other.variable, row.variable) << command << " --" << row.name;
    EXPECT_EQ(other.help, row.help) << command << " --" << row.name;
    EXPECT_EQ(other.into.accepts, row.into.accepts) << command << " --" << row.name;
  }
}

TEST(OptionTable, EachRowHasHelpWithoutAFullStop) {
  for (const auto& [command, row] : all_rows()) {
    EXPECT_GE(row.help.size(), 10u) << row.name;
    EXPECT_FALSE(row.help.ends_with(".")) << row.name;
    EXPECT_FALSE(row.into.accepts.empty()) << row.name;
    EXPECT_EQ(row.value.empty(), row.into.is_switch) << row.name;
  }
}

TEST(OptionTable, EachOptionNamesTheCommandsThatTakeIt) {
  for (const KnownOption& option : option_table()) {
    const bool anywhere = option.name == "help" || option.name == "version";
    EXPECT_EQ(option.commands.empty(), anywhere) << option.name;
    std::istringstream names{option.commands};
    for (std::string name; std::getline(names >> std::ws, name, ',');) {
      const CommandRow* command = find_command(name);
      ASSERT_NE(command, nullptr) << "--" << option.name << " names " << name;
      const OptionRows rows = begin_call(*command).rows;
      EXPECT_TRUE(std::any_of(rows.begin(), rows.end(), [&](const OptionRow& row) { return row.name == option.name; }))
          << name << " --" << option.name;
    }
  }
}

TEST(OptionTable, ChoicesAreThoseThatTheHelpShows) {
  for (const auto& [command, row] : all_rows()) {
    if (row.into.choices.empty()) continue;
    EXPECT_EQ(fmt::format("{}", fmt::join(row.into.choices, "|")), row.value) << row.name;
  }
}

TEST(OptionTable, VariablesAreStepgatesOwnAndUnique) {
  std::map<std::string_view, std::string_view> options;
  for (const auto& [command, row] : all_rows()) {
    if (row.variable.empty()) continue;
    EXPECT_TRUE(row.variable.starts_with("STEPGATE_")) << row.variable;
    EXPECT_EQ(options.emplace(row.variable, row.name).first->second, row.name) << row.variable;
  }
}

}  // namespace
}  // namespace stepgate
