#include "cli/options/option_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include <map>
#include <set>
#include <sstream>

#include "cli/command_line.h"
#include "cli/command_table.h"

namespace stepgate {
namespace {

std::vector<OptionRow> all_rows() {
  std::vector<OptionRow> rows;
  for (const OptionTopic& topic : option_table()) rows.insert(rows.end(), topic.rows.begin(), topic.rows.end());
  return rows;
}

/// A value that differs from the default and is accepted; what is not named here takes any text.
std::string sample_value(const OptionRow& row) {
  static const std::map<std::string_view, std::string> of_laws = {
      {"law", "saved_bytes"}, {"memory", "1000000"}, {"most-growth", "0"}};
  if (const auto of_law = of_laws.find(row.name); of_law != of_laws.end()) return of_law->second;
  static const std::map<std::string_view, std::string> samples = {
      {"tier", "exact"},     {"replicates", "7"}, {"exact-replicates", "7"}, {"threads", "3"},
      {"seed", "11"},        {"steps", "e2e=60"}, {"malloc", "system"},      {"timeout", "1.5"},
      {"session-gap", "60"}, {"guard", "host"},   {"gpu-clock", "1200"},     {"gpu-memory-clock", "1200"},
      {"wait-lock", "5"},    {"pairs", "8"},      {"interleave", "windows"}, {"order-seed", "5"},
      {"budget", "60"},      {"seeds", "8"},      {"seed-steps", "100"},     {"color", "never"},
      {"phase", "kind"},     {"prove", "all"},    {"schedule", "active=5"},  {"sort", "total"},
      {"by", "line"},        {"rows", "7"},       {"shards", "3"},           {"layout", "case"},
      {"attempt", "1"},
  };
  const auto found = samples.find(row.name);
  return found == samples.end() ? "text" : found->second;
}

TEST(OptionTable, NamesAreUnique) {
  std::set<std::string_view> names;
  for (const OptionRow& row : all_rows()) EXPECT_TRUE(names.insert(row.name).second) << row.name;
}

TEST(OptionTable, EachRowHasHelpWithoutAFullStop) {
  for (const OptionRow& row : all_rows()) {
    EXPECT_GE(row.help.size(), 10u) << row.name;
    EXPECT_FALSE(row.help.ends_with(".")) << row.name;
    EXPECT_FALSE(row.into.accepts.empty()) << row.name;
    EXPECT_EQ(row.value.empty(), row.into.is_switch) << row.name;
  }
}

TEST(OptionTable, EachRowNamesCommandsThatExist) {
  for (const OptionRow& row : all_rows()) {
    const bool anywhere = row.name == "help" || row.name == "version";
    EXPECT_EQ(row.commands.empty(), anywhere) << row.name;
    std::istringstream names{std::string(row.commands)};
    for (std::string name; std::getline(names >> std::ws, name, ',');) {
      EXPECT_NE(find_command(name), nullptr) << "--" << row.name << " names " << name;
      EXPECT_TRUE(takes(name, row)) << name << " --" << row.name;
    }
  }
}

TEST(OptionTable, ChoicesAreThoseThatTheHelpShows) {
  for (const OptionRow& row : all_rows()) {
    if (row.into.choices.empty()) continue;
    EXPECT_EQ(fmt::format("{}", fmt::join(row.into.choices, "|")), row.value) << row.name;
  }
}

TEST(OptionTable, EachRowChangesOptions) {
  for (const OptionRow& row : all_rows()) {
    Options options;
    EXPECT_TRUE(row.into.set(options, row.into.is_switch ? "" : sample_value(row))) << row.name;
    EXPECT_FALSE(options == Options{}) << "--" << row.name << " sets nothing";
  }
}

TEST(OptionTable, NoTwoRowsSetTheSameFieldExceptTheTwoNamesOfTheBuild) {
  std::map<std::string_view, Options> set;
  for (const OptionRow& row : all_rows()) row.into.set(set[row.name], row.into.is_switch ? "" : sample_value(row));
  for (const auto& [name, options] : set) {
    for (const auto& [other, others] : set) {
      if (name == other || (name == "build" && other == "head-build") || (name == "head-build" && other == "build"))
        continue;
      EXPECT_FALSE(options == others) << "--" << name << " and --" << other;
    }
  }
}

TEST(OptionTable, VariablesAreStepgatesOwnAndUnique) {
  std::set<std::string_view> names;
  for (const OptionRow& row : all_rows()) {
    if (row.variable.empty()) continue;
    EXPECT_TRUE(row.variable.starts_with("STEPGATE_")) << row.variable;
    EXPECT_TRUE(names.insert(row.variable).second) << row.variable;
  }
}

}  // namespace
}  // namespace stepgate
