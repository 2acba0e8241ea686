// What is wrong with a command line, and what to type instead.
#pragma once

#include <string>
#include <string_view>

#include "cli/options/option_row.h"
#include "cli/options/option_table.h"
#include "core/error.h"

namespace stepgate {

/// No command has that name: the nearest one, "accept" included for "baseline accept".
Error unknown_command(const std::string& name);

/// `stepgate baseline` alone, which begins four commands.
Error first_word_alone(const std::string& word);

/// `stepgate --build DIR`: options without a command.
Error no_command(const std::string& first_word);

/// `option` ("--replicate") exists nowhere: the nearest option, of this command where one is near.
Error unknown_option(const std::string& option, const std::string& command);

/// An option that the command would ignore: the commands that read it.
Error foreign_option(const KnownOption& option, const std::string& command);

/// A value that the option does not accept; `source` is "--tier" or the environment variable.
Error bad_value(const OptionValue& into, const std::string& source, const std::string& value);

/// `--json=yes`; `source` is "--json".
Error value_of_switch(const std::string& source);

/// A variable that turns a switch on or off has another text.
Error bad_switch_variable(const std::string& variable, const std::string& value);

Error value_is_missing(const KnownOption& option);

/// `--html --quiet`: the next word is taken for an option, unless it is written with "=".
Error option_for_value(const std::string& name, const std::string& value);

Error given_twice(std::string_view option);

}  // namespace stepgate
