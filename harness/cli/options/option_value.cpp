#include "cli/options/option_value.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

namespace stepgate {
namespace {

/// The whole text as a number; absent where anything else is in it, or where it does not fit.
template <typename Number>
std::optional<Number> number_in(const std::string& text) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

bool is_variable_name(const std::string& name) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
  constexpr std::string_view digits = "0123456789";
  return !name.empty() && letters.find(name.front()) != std::string_view::npos &&
         std::all_of(name.begin(), name.end(), [&](char c) {
           return letters.find(c) != std::string_view::npos || digits.find(c) != std::string_view::npos;
         });
}

std::vector<std::string_view> split_at_bars(std::string_view text) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('|', begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::optional<double> seconds_in(const std::string& text, const SecondsRange& range) {
  const auto value = number_in<double>(text);
  if (!value || !std::isfinite(*value) || *value < 0 || *value > range.most_s) return std::nullopt;
  return *value > 0 || range.zero_too ? value : std::nullopt;
}

std::string accepted_seconds(const SecondsRange& range) {
  return range.zero_too ? fmt::format("seconds from 0 to {}", range.most_s)
                        : fmt::format("seconds above 0, at most {}", range.most_s);
}

template <typename Field>
OptionValue seconds_value(Field& field, SecondsRange range) {
  return {.accepts = accepted_seconds(range), .set = [&field, range](const std::string& text) {
            const auto value = seconds_in(text, range);
            if (value) field = *value;
            return value.has_value();
          }};
}

}  // namespace

OptionValue switch_on(bool& field) {
  return {.accepts = "no value",
          .set =
              [&field](const std::string& text) {
                if (text.empty()) field = true;
                return text.empty();
              },
          .is_switch = true};
}

OptionValue text_into(std::string& field, std::string accepts) {
  return {.accepts = std::move(accepts), .set = [&field](const std::string& text) {
            field = text;
            return !text.empty();
          }};
}

OptionValue texts_into(std::vector<std::string>& field, std::string accepts) {
  return {.accepts = std::move(accepts),
          .set =
              [&field](const std::string& text) {
                field.push_back(text);
                return !text.empty();
              },
          .repeats = true};
}

OptionValue variable_names_into(std::vector<std::string>& field) {
  return {.accepts = "names of variables with commas between them, without values, e.g. MY_DATA,MY_MODE",
          .set =
              [&field](const std::string& text) {
                std::vector<std::string> names;
                std::istringstream list(text);
                for (std::string name; std::getline(list, name, ',');) names.push_back(name);
                field.insert(field.end(), names.begin(), names.end());
                return !names.empty() && !text.ends_with(',') &&
                       std::all_of(names.begin(), names.end(), is_variable_name);
              },
          .repeats = true};
}

OptionValue named_values_into(std::map<std::string, std::string>& field, std::string accepts) {
  return {.accepts = std::move(accepts),
          .set =
              [&field](const std::string& text) {
                const std::size_t equals = text.find('=');
                if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) return false;
                return field.emplace(text.substr(0, equals), text.substr(equals + 1)).second;
              },
          .repeats = true};
}

OptionValue choice_value(std::string_view choices, std::function<bool(const std::string&)> set) {
  std::vector<std::string_view> all = split_at_bars(choices);
  std::string accepts = fmt::format("one of: {}", fmt::join(all, ", "));
  return {.accepts = std::move(accepts), .set = std::move(set), .choices = std::move(all)};
}

OptionValue choice_into(std::string& field, std::string_view choices) {
  return choice_value(choices, [&field, all = split_at_bars(choices)](const std::string& text) {
    field = text;
    return std::find(all.begin(), all.end(), text) != all.end();
  });
}

OptionValue path_into(std::filesystem::path& field, std::string accepts) {
  return {.accepts = std::move(accepts), .set = [&field](const std::string& text) {
            field = text;
            return !text.empty();
          }};
}

OptionValue count_into(std::optional<std::int64_t>& field, CountRange range) {
  return {.accepts = fmt::format("a whole number from {} to {}", range.least, range.most),
          .set = [&field, range](const std::string& text) {
            const auto value = number_in<std::int64_t>(text);
            const bool fits = value && *value >= range.least && *value <= range.most;
            if (fits) field = *value;
            return fits;
          }};
}

OptionValue seed_into(std::optional<std::uint64_t>& field) {
  return {.accepts = "a whole number from 0 to 18446744073709551615", .set = [&field](const std::string& text) {
            const auto value = number_in<std::uint64_t>(text);
            if (value) field = *value;
            return value.has_value();
          }};
}

OptionValue seconds_into(double& field, SecondsRange range) { return seconds_value(field, range); }

OptionValue seconds_into(std::optional<double>& field, SecondsRange range) { return seconds_value(field, range); }

std::vector<std::string> comma_separated(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; std::getline(stream, word, ',');) {
    if (!word.empty()) words.push_back(word);
  }
  return words;
}

}  // namespace stepgate
