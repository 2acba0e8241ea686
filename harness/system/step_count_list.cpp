#include "system/step_count_list.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <vector>

#include "core/error.h"
#include "core/step_count_fields.h"
#include "core/text/excerpt.h"
#include "system/nearest_name.h"

namespace stepgate {
namespace {

/// "e2e=60", and the flag that it was given with.
struct StepCountEntry {
  std::string_view flag;
  std::string_view text;
};

const StepCountField& field_of(const StepCountEntry& entry, std::string_view name) {
  std::vector<std::string_view> names;
  for (const StepCountField& field : step_count_fields) {
    if (field.name == name) return field;
    names.push_back(field.name);
  }
  const auto near = nearest_name(name, names);
  const std::string known = fmt::format("known: {}", fmt::join(names, ", "));
  throw Error(ErrorKind::usage, fmt::format("{}: there is no step count '{}'", entry.flag, excerpt(name)),
              near ? fmt::format("did you mean '{}'? {}", *near, known) : known);
}

std::int64_t count_in(const StepCountEntry& entry, std::string_view number) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error == std::errc() && end == number.data() + number.size()) return value;
  throw Error(ErrorKind::usage, fmt::format("{}: '{}' is not <name>=<whole number>", entry.flag, excerpt(entry.text)),
              fmt::format("write it like {} e2e=60,window=10", entry.flag));
}

void add_entry(const StepCountEntry& entry, NamedSteps& steps) {
  const std::size_t equals = entry.text.find('=');
  const StepCountField& field = field_of(entry, entry.text.substr(0, equals));
  const std::int64_t count = count_in(entry, equals == std::string_view::npos ? "" : entry.text.substr(equals + 1));
  if (count < field.least) {
    throw Error(ErrorKind::usage, fmt::format("{}: {}={} is too few", entry.flag, field.name, count),
                fmt::format("give at least {}", field.least));
  }
  if (count > most_steps) {
    throw Error(ErrorKind::usage, fmt::format("{}: {}={} is too many", entry.flag, field.name, count),
                fmt::format("give at most {}", most_steps));
  }
  if (steps.emplace(field.name, count).second) return;
  throw Error(ErrorKind::usage, fmt::format("{}: {} is given twice", entry.flag, field.name), "give each count once");
}

}  // namespace

NamedSteps read_step_counts(std::string_view text, std::string_view flag) {
  NamedSteps steps;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    add_entry({flag, text.substr(0, comma)}, steps);
    text = comma == std::string_view::npos ? "" : text.substr(comma + 1);
  }
  return steps;
}

std::string text_of(const NamedSteps& steps) {
  std::string text;
  for (const auto& [name, count] : steps) text += fmt::format("{}{}={}", text.empty() ? "" : ",", name, count);
  return text;
}

}  // namespace stepgate
