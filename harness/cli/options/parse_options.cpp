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
#include "core/text/switch_text.h"

namespace stepgate {
namespace {

namespace po = boost::program_options;
using Words = std::vector<std::string>;

constexpr const char* rest = "arguments";

bool asks_for_help(const Words& words) { return std::find(words.begin(), words.end(), "--help") != words.end(); }

/// Takes the leading words that name a command. If help or version is asked for, that may also be "baseline" or "".
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
  const KnownOption* option = nullptr;
  std::string value;
  const OptionRow* row = nullptr;  ///< that of the command
};

struct Typed {
  std::vector<Given> options;
  Words arguments;
};

po::options_description known_to_boost() {
  po::options_description known;
  for (const KnownOption& option : option_table()) {
    const std::string name(option.name);
    if (option.may_stand_alone)
      known.add_options()(name.c_str(), po::value<std::string>()->implicit_value(""), "");
    else if (option.is_switch)
      known.add_options()(name.c_str(), "");
    else
      known.add_options()(name.c_str(), po::value<std::string>());
  }
  known.add_options()(rest, po::value<Words>());
  return known;
}

/// `--device emulated:h100`: of an option that may stand alone Boost takes a value only from the option's own word.
Words with_values_joined(const Words& words) {
  Words joined_words;
  for (std::size_t at = 0; at < words.size(); ++at) {
    const std::string& word = joined_words.emplace_back(words[at]);
    if (word == "--") {
      joined_words.insert(joined_words.end(), words.begin() + static_cast<std::ptrdiff_t>(at) + 1, words.end());
      break;
    }
    const KnownOption* option = word.starts_with("--") ? find_option(std::string_view(word).substr(2)) : nullptr;
    const bool has_value = at + 1 < words.size() && !words[at + 1].empty() && !words[at + 1].starts_with("-");
    if (option != nullptr && option->may_stand_alone && has_value) joined_words.back() += "=" + words[++at];
  }
  return joined_words;
}

std::vector<po::option> split(const Words& words, const std::string& command) {
  po::positional_options_description positions;
  positions.add(rest, -1);
  const po::options_description known = known_to_boost();
  try {
    return po::command_line_parser(with_values_joined(words))
        .options(known)
        .positional(positions)
        .style(po::command_line_style::default_style & ~po::command_line_style::allow_guessing)
        .run()
        .options;
  } catch (const po::unknown_option& error) {
    throw unknown_option(error.get_option_name(), command);
  } catch (const po::error_with_option_name& error) {
    const std::string name = error.get_option_name();
    const KnownOption* known_one = find_option(name.substr(std::min(name.size(), name.find_first_not_of('-'))));
    if (known_one == nullptr) throw unknown_option(name, command);
    if (known_one->is_switch) throw value_of_switch(name);
    throw value_is_missing(*known_one);
  }
}

/// `--html --quiet`: Boost takes the next word for the value, whatever it is.
void refuse_option_for_value(const po::option& option) {
  const bool in_own_word = option.original_tokens.size() > 1;
  if (!in_own_word || option.value.empty() || !option.value.front().starts_with("--")) return;
  throw option_for_value(option.string_key, option.value.front());
}

Typed typed(const Words& words, const std::string& command) {
  Typed found;
  for (const po::option& option : split(words, command)) {
    if (option.position_key >= 0 || option.string_key == rest) {
      found.arguments.insert(found.arguments.end(), option.value.begin(), option.value.end());
      continue;
    }
    const KnownOption* known = find_option(option.string_key);
    if (known == nullptr) throw unknown_option(option.string_key, command);
    refuse_option_for_value(option);
    found.options.push_back({known, option.value.empty() ? "" : option.value.front(), nullptr});
  }
  return found;
}

void set_from_environment(const OptionRow& row) {
  const std::string variable(row.variable);
  const char* value = variable.empty() ? nullptr : std::getenv(variable.c_str());
  if (value == nullptr || *value == '\0') return;
  if (!row.into.is_switch) {
    if (!row.into.set(value)) throw bad_value(row.into, variable, value);
    return;
  }
  const auto on = switch_in(value);
  if (!on) throw bad_switch_variable(variable, value);
  if (*on) row.into.set("");
}

const OptionRow* row_named(const OptionRows& rows, std::string_view name) {
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const OptionRow& one) { return one.name == name; });
  return row == rows.end() ? nullptr : &*row;
}

/// Finds the rows. Without a command only help or the version can follow: every option is in order, and has no effect.
std::vector<Given> taken_by(const std::string& command, const OptionRows& rows, const std::vector<Given>& given) {
  std::vector<Given> taken;
  for (Given one : given) {
    one.row = row_named(rows, one.option->name);
    if (one.row == nullptr && !command.empty()) throw foreign_option(*one.option, command);
    if (one.row != nullptr) taken.push_back(std::move(one));
  }
  return taken;
}

void set_options(const OptionRows& rows, const std::vector<Given>& given) {
  std::map<std::string_view, int> times;
  for (const Given& one : given) ++times[one.row->name];
  for (const OptionRow& row : rows) {
    if (!times.contains(row.name)) set_from_environment(row);
  }
  for (const Given& one : given) {
    const OptionRow& row = *one.row;
    if (times[row.name] > 1 && !row.into.repeats && !row.into.is_switch) throw given_twice(row.name);
    if (one.option->may_stand_alone && !row.into.may_stand_alone && one.value.empty())
      throw value_is_missing(*one.option);
    const std::string source = "--" + std::string(row.name);
    if (!row.into.set(one.value))
      throw row.into.is_switch ? value_of_switch(source) : bad_value(row.into, source, one.value);
  }
  for (const Given& one : given) {
    for (const auto& need : one.row->needs) need();
  }
}

}  // namespace

CommandLine parse_options(int argc, const char* const* argv) {
  Words words(argv + 1, argv + argc);
  std::replace(words.begin(), words.end(), std::string("-h"), std::string("--help"));
  CommandLine line;
  line.command = take_command(words);
  if (const CommandRow* row = find_command(line.command)) line.call = begin_call(*row);
  Typed found = typed(words, line.command);
  OptionRows rows = rows_of(line.general);
  if (line.call) {
    *line.call->arguments = std::move(found.arguments);
    rows = joined({line.call->rows, rows});
  }
  set_options(rows, taken_by(line.command, rows, found.options));
  return line;
}

}  // namespace stepgate
