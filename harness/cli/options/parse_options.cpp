#include "cli/options/parse_options.h"

#include <algorithm>
#include <boost/program_options.hpp>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "cli/command_table.h"
#include "cli/options/option_table.h"
#include "cli/options/usage_error.h"

namespace stepgate {
namespace {

namespace po = boost::program_options;
using Words = std::vector<std::string>;

constexpr const char* rest = "arguments";

bool asks_for_help(const Words& words) { return std::find(words.begin(), words.end(), "--help") != words.end(); }

/// Takes the leading words that name a command, "baseline" and "" among them where help or version is asked for.
std::string take_command(Words& words) {
  if (!words.empty() && words.front() == "help") {
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  if (words.empty() || words.front() == "--help" || words.front() == "--version") return "";
  if (words.front().starts_with("-")) throw no_command(words.front());
  std::string name = words.front();
  words.erase(words.begin());
  if (begins_commands(name) && !words.empty() && !words.front().starts_with("-")) {
    name += " " + words.front();
    words.erase(words.begin());
  }
  if (begins_commands(name) && !asks_for_help(words)) throw first_word_alone(name);
  if (!begins_commands(name) && find_command(name) == nullptr) throw unknown_command(name);
  return name;
}

/// One option as it was typed; a switch has the value "".
struct Given {
  const OptionRow* row = nullptr;
  std::string value;
};

struct Typed {
  std::vector<Given> options;
  Words arguments;
};

po::options_description known_to_boost() {
  po::options_description known;
  for (const OptionTopic& topic : option_table()) {
    for (const OptionRow& row : topic.rows) {
      const std::string name(row.name);
      if (row.into.is_switch)
        known.add_options()(name.c_str(), "");
      else
        known.add_options()(name.c_str(), po::value<std::string>());
    }
  }
  known.add_options()(rest, po::value<Words>());
  return known;
}

std::vector<po::option> split(const Words& words, const std::string& command) {
  po::positional_options_description positions;
  positions.add(rest, -1);
  const po::options_description known = known_to_boost();
  try {
    return po::command_line_parser(words)
        .options(known)
        .positional(positions)
        .style(po::command_line_style::default_style & ~po::command_line_style::allow_guessing)
        .run()
        .options;
  } catch (const po::unknown_option& error) {
    throw unknown_option(error.get_option_name(), command);
  } catch (const po::error_with_option_name& error) {
    const std::string name = error.get_option_name();
    const OptionRow* row = find_option(name.substr(std::min(name.size(), name.find_first_not_of('-'))));
    if (row == nullptr) throw unknown_option(name, command);
    if (row->into.is_switch) throw bad_value(*row, name, "");
    throw value_is_missing(*row);
  }
}

Typed typed(const Words& words, const std::string& command) {
  Typed found;
  for (const po::option& option : split(words, command)) {
    if (option.position_key >= 0 || option.string_key == rest) {
      found.arguments.insert(found.arguments.end(), option.value.begin(), option.value.end());
      continue;
    }
    const OptionRow* row = find_option(option.string_key);
    if (row == nullptr) throw unknown_option(option.string_key, command);
    if (!takes(command, *row)) throw foreign_option(*row, command);
    found.options.push_back({row, option.value.empty() ? "" : option.value.front()});
  }
  return found;
}

/// The variable's value; "" where it is not set. A switch is off at "0".
std::string variable_of(const OptionRow& row) {
  const char* value = row.variable.empty() ? nullptr : std::getenv(std::string(row.variable).c_str());
  if (value == nullptr) return "";
  return row.into.is_switch && std::string(value) == "0" ? "" : value;
}

void set_from_environment(const OptionRow& row, Options& options) {
  const std::string value = variable_of(row);
  if (value.empty()) return;
  if (!row.into.set(options, row.into.is_switch ? "" : value)) throw bad_value(row, std::string(row.variable), value);
}

}  // namespace

Options parse_options(int argc, const char* const* argv) {
  Words words(argv + 1, argv + argc);
  std::replace(words.begin(), words.end(), std::string("-h"), std::string("--help"));
  Options options;
  options.command = take_command(words);
  Typed found = typed(words, options.command);
  options.arguments = std::move(found.arguments);
  std::map<std::string_view, int> times;
  for (const Given& given : found.options) ++times[given.row->name];
  for (const OptionTopic& topic : option_table()) {
    for (const OptionRow& row : topic.rows) {
      if (!times.contains(row.name) && takes(options.command, row)) set_from_environment(row, options);
    }
  }
  for (const Given& given : found.options) {
    const OptionRow& row = *given.row;
    if (times[row.name] > 1 && !row.into.repeats && !row.into.is_switch) throw given_twice(row);
    if (!row.into.set(options, given.value)) throw bad_value(row, "--" + std::string(row.name), given.value);
  }
  for (const Given& given : found.options) {
    if (given.row->needs) given.row->needs(options);
  }
  return options;
}

}  // namespace stepgate
