// All options of the command line: one row each, with everything that is known about it.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "cli/options/option_value.h"
#include "cli/options/options.h"

namespace stepgate {

/// One option. A new one is a row in option_table.cpp or pair_rows.cpp, and a field of Options.
struct OptionRow {
  std::string_view name;      ///< without dashes
  std::string_view value;     ///< what stands for its value in the help; "" for a switch
  std::string_view variable;  ///< environment variable that sets it too; "" where there is none
  std::string_view commands;  ///< those that read it, "gate, baseline accept"; empty: every command
  std::string_view help;      ///< one sentence without a full stop, with the default
  OptionValue into;           ///< sets the field, within its range
  /// Throws Error(usage) where another option contradicts this one, or is missing.
  std::function<void(const Options&)> needs = {};
};

/// Options of one subject, which the help shows together.
struct OptionTopic {
  std::string_view title;
  std::vector<OptionRow> rows;
};

const std::vector<OptionTopic>& option_table();

/// Null where no option has that name ("tier", without dashes).
const OptionRow* find_option(std::string_view name);

/// Whether the command reads the option. Without a command ("") every option is in order: only help can follow.
bool takes(std::string_view command, const OptionRow& option);

}  // namespace stepgate
