#include "experiment/swept/sweep_grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <sstream>

#include "core/error.h"
#include "core/text/excerpt.h"
#include "core/text/number_in_text.h"

namespace stepgate {
namespace {

constexpr const char* threads_name = "threads";
constexpr const char* workers_name = "loader_workers";
constexpr std::int64_t most_threads = 4096;  // as --threads

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorKind::usage, "--vary: " + what, "e.g. --vary batch_size=4,8,16 --vary threads=1,2");
}

std::optional<std::int64_t> whole_number(const std::string& text) {
  char* end = nullptr;
  const std::int64_t value = std::strtoll(text.c_str(), &end, 10);
  return !text.empty() && *end == '\0' ? std::optional(value) : std::nullopt;
}

std::vector<std::string> values_in(const std::string& list) {
  std::vector<std::string> values;
  std::istringstream stream(list);
  for (std::string value; std::getline(stream, value, ',');) values.push_back(value);
  if (list.ends_with(',')) values.emplace_back();
  return values;
}

}  // namespace

SweptParameter parse_vary(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) refuse(fmt::format("'{}' is not NAME=VALUE,VALUE...", excerpt(text)));
  SweptParameter parameter{text.substr(0, equals), values_in(text.substr(equals + 1))};
  std::set<std::string> seen;
  std::set<double> numbers;
  for (const std::string& value : parameter.values) {
    if (value.empty()) refuse(fmt::format("'{}' has an empty value", excerpt(text)));
    const auto number = number_in_text(value);
    if (number && !numbers.insert(*number).second && !seen.contains(value)) {
      refuse(fmt::format("{} has the value {} twice, written differently", excerpt(parameter.name), excerpt(value)));
    }
    if (!seen.insert(value).second)
      refuse(fmt::format("{} has the value {} twice", excerpt(parameter.name), excerpt(value)));
    const std::int64_t threads = parameter.name == threads_name ? whole_number(value).value_or(0) : 1;
    if (threads < 1 || threads > most_threads) {
      refuse(fmt::format("threads={} is not a whole number from 1 to {}", excerpt(value), most_threads));
    }
  }
  if (parameter.values.empty()) refuse(fmt::format("'{}' has no values", excerpt(text)));
  return parameter;
}

std::vector<std::vector<std::string>> grid_of(const std::vector<SweptParameter>& parameters, std::size_t most) {
  std::set<std::string> names;
  std::vector<std::vector<std::string>> settings = {{}};
  for (const SweptParameter& parameter : parameters) {
    if (!names.insert(parameter.name).second) refuse(fmt::format("{} is given twice", excerpt(parameter.name)));
    if (settings.size() * parameter.values.size() > most) refuse(fmt::format("more than {} settings", most));
    std::vector<std::vector<std::string>> longer;
    for (const auto& setting : settings) {
      for (const std::string& value : parameter.values) {
        longer.push_back(setting);
        longer.back().push_back(value);
      }
    }
    settings = std::move(longer);
  }
  if (settings.size() < 2) refuse("sweep needs --vary with at least two values");
  return settings;
}

Plan plan_of_setting(const Plan& base, const std::vector<SweptParameter>& parameters,
                     const std::vector<std::string>& values) {
  Plan plan = base;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters[i].name == threads_name) {
      plan.threads = whole_number(values[i]).value_or(1);
    } else {
      plan.params[parameters[i].name] = values[i];
    }
  }
  return plan;
}

std::int64_t cpus_for(const Plan& base, const std::vector<SweptParameter>& parameters,
                      const std::vector<std::vector<std::string>>& settings) {
  std::int64_t most = std::max(base.cpus, base.threads);
  for (const auto& values : settings) {
    const Plan plan = plan_of_setting(base, parameters, values);
    const auto workers = plan.params.find(workers_name);
    const std::int64_t beside = workers == plan.params.end() ? 0 : whole_number(workers->second).value_or(0);
    most = std::max(most, plan.threads + std::max<std::int64_t>(0, beside));
  }
  return most;
}

std::vector<std::vector<std::size_t>> round_orders(std::uint64_t seed, std::int64_t rounds, std::size_t settings) {
  std::mt19937_64 generator(seed);
  std::vector<std::vector<std::size_t>> orders;
  for (std::int64_t round = 0; round < rounds; ++round) {
    std::vector<std::size_t> order(settings);
    std::iota(order.begin(), order.end(), std::size_t{0});
    // std::shuffle differs between standard libraries, and the same seed must repeat a sweep everywhere.
    for (std::size_t left = settings; left > 1; --left) std::swap(order[left - 1], order[generator() % left]);
    orders.push_back(std::move(order));
  }
  return orders;
}

}  // namespace stepgate
