// All options of all commands that this program contains, for messages about a command line that does not fit.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stepgate {

/// The facts of an option that do not depend on the command.
struct KnownOption {
  std::string_view name;  ///< without dashes
  bool is_switch = false;
  std::string accepts;           ///< "a whole number from 1 to 1000"
  std::string commands;          ///< those that take it, "gate, baseline accept"; "" for --help and --version
  bool may_stand_alone = false;  ///< in one of them
};

/// In the order of their topics.
const std::vector<KnownOption>& option_table();

/// Null where no option has that name ("tier", without dashes).
const KnownOption* find_option(std::string_view name);

}  // namespace stepgate
