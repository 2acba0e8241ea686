#include "measure/step/step_counts_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <vector>

#include "core/error.h"
#include "system/nearest_name.h"

namespace stepgate {
namespace {

std::int64_t least_allowed(std::string_view name) { return name == "exact_warmup" ? 0 : 1; }

const StepCountField& field_named(std::string_view name) {
  std::vector<std::string_view> names;
  for (const StepCountField& field : step_count_fields) {
    if (field.name == name) return field;
    names.push_back(field.name);
  }
  const auto near = nearest_name(name, names);
  throw Error(ErrorKind::usage, fmt::format("--stepgate_steps: there is no pass count '{}'", name),
              near ? fmt::format("did you mean '{}'?", *near) : fmt::format("known: {}", fmt::join(names, ", ")));
}

std::int64_t whole_number(std::string_view text, std::string_view entry) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) {
    throw Error(ErrorKind::usage, fmt::format("--stepgate_steps: '{}' is not <name>=<whole number>", entry),
                "write it like --stepgate_steps=e2e=60,window=10");
  }
  return value;
}

void set_count(StepCounts& steps, std::string_view entry) {
  const std::size_t equals = entry.find('=');
  const std::string_view name = entry.substr(0, equals);
  const std::string_view number = equals == std::string_view::npos ? "" : entry.substr(equals + 1);
  const StepCountField& field = field_named(name);
  const std::int64_t value = whole_number(number, entry);
  if (value < least_allowed(name)) {
    throw Error(ErrorKind::usage, fmt::format("--stepgate_steps: {}={} is too few", name, value),
                fmt::format("give at least {}", least_allowed(name)));
  }
  steps.*field.member = value;
}

}  // namespace

StepCounts override_steps(StepCounts declared, std::string_view overrides) {
  while (!overrides.empty()) {
    const std::size_t comma = overrides.find(',');
    set_count(declared, overrides.substr(0, comma));
    overrides = comma == std::string_view::npos ? "" : overrides.substr(comma + 1);
  }
  return declared;
}

void require_sensible(const StepCounts& steps, std::string_view case_name) {
  for (const StepCountField& field : step_count_fields) {
    const std::int64_t value = steps.*field.member;
    if (value >= least_allowed(field.name)) continue;
    throw Error(ErrorKind::usage, fmt::format("case {} declares {}={} steps", case_name, field.name, value),
                fmt::format("declare at least {} in its StepCounts", least_allowed(field.name)));
  }
}

std::string steps_text(const StepCounts& steps, Group group) {
  if (group == Group::exact) {
    return fmt::format("counts={},memory={},numerics={},exact_warmup={}", steps.counts, steps.memory, steps.numerics,
                       steps.exact_warmup);
  }
  return fmt::format("e2e={},window={},phase={},synthetic={},loader={},h2d={},logging={}", steps.e2e, steps.window,
                     steps.phase, steps.synthetic, steps.loader, steps.h2d, steps.logging);
}

}  // namespace stepgate
