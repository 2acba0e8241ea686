// How the text of an option becomes a field of Options: one function per kind of value, each with the range it accepts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/options/options.h"

namespace stepgate {

/// A setter, and what it accepts as a message says it: "a whole number from 1 to 1000".
struct OptionValue {
  std::string accepts;
  std::function<bool(Options&, const std::string&)> set;  ///< false where the text is refused
  bool is_switch = false;                                 ///< takes no text
  bool repeats = false;                                   ///< may be given more than once
  std::vector<std::string_view> choices = {};             ///< all accepted texts, where they can be listed
};

/// Both bounds are accepted values.
struct CountRange {
  std::int64_t least = 1;
  std::int64_t most = 0;
};

/// From 0 to `most_s`; 0 itself only where it has a meaning.
struct SecondsRange {
  bool zero_too = true;
  double most_s = 0;
};

OptionValue switch_on(bool Options::*field);
OptionValue text_into(std::string Options::*field, std::string accepts);
OptionValue texts_into(std::vector<std::string> Options::*field, std::string accepts);
/// Names of environment variables with commas between them. NAME=VALUE is refused: each command that a report prints
/// would show the value.
OptionValue variable_names_into(std::vector<std::string> Options::*field);
/// `choices` as the help shows them: "exact|timed|all".
OptionValue choice_into(std::string Options::*field, std::string_view choices);
OptionValue path_into(std::filesystem::path Options::*field, std::string accepts);
OptionValue count_into(std::optional<std::int64_t> Options::*field, CountRange range);
/// Any unsigned number of 64 bits.
OptionValue seed_into(std::optional<std::uint64_t> Options::*field);
/// Refuses "nan" and "inf", as all numbers of seconds here do.
OptionValue seconds_into(double Options::*field, SecondsRange range);
OptionValue seconds_into(std::optional<double> Options::*field, SecondsRange range);

}  // namespace stepgate
