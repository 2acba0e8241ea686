#include "experiment/step_overrides.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <sstream>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/record/step_count_fields.h"

namespace stepgate {
namespace {

bool is_step_count(std::string_view name) {
  return std::any_of(step_count_fields.begin(), step_count_fields.end(),
                     [&](const StepCountField& field) { return field.name == name; });
}

Error not_understood(const std::string& item) {
  std::vector<std::string_view> names;
  for (const StepCountField& field : step_count_fields) names.push_back(field.name);
  return {ErrorKind::usage, fmt::format("--steps: '{}' is not NAME=COUNT with a known name", item),
          fmt::format("e.g. --steps e2e=60; names: {}", fmt::join(names, ", "))};
}

std::int64_t count_in(const std::string& key, std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size() && value >= 1) return value;
  throw Error(ErrorKind::usage, fmt::format("--steps: {} needs a whole number of at least 1, found '{}'", key, text),
              fmt::format("e.g. --steps {}=10", key));
}

}  // namespace

std::map<std::string, std::int64_t> parse_steps(const std::string& text) {
  std::map<std::string, std::int64_t> steps;
  std::istringstream stream(text);
  for (std::string item; std::getline(stream, item, ',');) {
    const auto equals = item.find('=');
    const std::string key = item.substr(0, equals);
    if (equals == std::string::npos || !is_step_count(key)) throw not_understood(item);
    const std::int64_t count = count_in(key, std::string_view(item).substr(equals + 1));
    if (steps.emplace(key, count).second) continue;
    throw Error(ErrorKind::usage, fmt::format("--steps: {} stands there twice", key), "name each count once");
  }
  return steps;
}

}  // namespace stepgate
