// How the text of an option becomes a field: one function per kind of value, each with the range that it accepts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace stepgate {

/// A setter, and what it accepts as a message says it: "a whole number from 1 to 1000".
struct OptionValue {
  std::string accepts;
  std::function<bool(const std::string&)> set;  ///< false where the text is refused
  bool is_switch = false;                       ///< takes no text
  bool repeats = false;                         ///< may be given more than once
  std::vector<std::string_view> choices = {};   ///< all accepted texts, where they can be listed
  bool may_stand_alone = false;                 ///< has a meaning without its text, which is "" then
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

OptionValue switch_on(bool& field);
OptionValue text_into(std::string& field, std::string accepts);
OptionValue texts_into(std::vector<std::string>& field, std::string accepts);
/// Names of environment variables with commas between them. NAME=VALUE is refused: each command that a report prints
/// would show the value.
OptionValue variable_names_into(std::vector<std::string>& field);
/// One of `choices`, as the help shows them: "exact|timed|all".
OptionValue choice_value(std::string_view choices, std::function<bool(const std::string&)> set);
OptionValue choice_into(std::string& field, std::string_view choices);
/// `named` returns the value of each of `choices`, as an optional.
template <typename Field, typename Named>
OptionValue choice_into(Field& field, std::string_view choices, Named named) {
  return choice_value(choices, [&field, named](const std::string& text) {
    const auto value = named(text);
    if (value) field = *value;
    return value.has_value();
  });
}
/// NAME=VALUE, once for each name.
OptionValue named_values_into(std::map<std::string, std::string>& field, std::string accepts);
OptionValue path_into(std::filesystem::path& field, std::string accepts);
OptionValue count_into(std::optional<std::int64_t>& field, CountRange range);
/// Any unsigned number of 64 bits.
OptionValue seed_into(std::optional<std::uint64_t>& field);
/// Refuses "nan" and "inf", as all numbers of seconds here do.
OptionValue seconds_into(double& field, SecondsRange range);
OptionValue seconds_into(std::optional<double>& field, SecondsRange range);

/// "governor,turbo": words with commas between them.
std::vector<std::string> comma_separated(const std::string& text);

}  // namespace stepgate
