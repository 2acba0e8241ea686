#include "diagnose/reproducibility/varying_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace stepgate {
namespace {

/// Parts of the names of ATen operators that draw random numbers.
constexpr std::array<std::string_view, 10> draws = {"dropout", "bernoulli",   "rand",        "normal_", "uniform_",
                                                    "random_", "multinomial", "exponential", "poisson", "geometric_"};

bool is_draw(const std::string& name) {
  return std::any_of(draws.begin(), draws.end(),
                     [&](std::string_view part) { return name.find(part) != std::string::npos; });
}

/// "aten::native_dropout in forward"; "" where no counted operator draws.
std::string drawing_operator(const std::map<std::string, std::map<std::string, std::int64_t>>& operators) {
  for (const auto& [boundary, calls] : operators) {
    for (const auto& [name, count] : calls) {
      if (is_draw(name)) return fmt::format("{} in {}", name, boundary);
    }
  }
  return "";
}

}  // namespace

std::string source_of_numerics(const VaryingNumerics& varying,
                               const std::map<std::string, std::map<std::string, std::int64_t>>& operators) {
  if (varying.relative <= largest_rounding) {
    return "the difference is one of rounding: threads that share an operator, or atomic additions, add the same "
           "numbers in another order";
  }
  if (varying.other_data) {
    return "the batches differ too: their order or their samples come from an unseeded generator, a clock, or loader "
           "workers that deliver in the order in which they finish";
  }
  const std::string drawing = drawing_operator(operators);
  const std::string drawn = drawing.empty() ? "" : fmt::format(", or the generator of {}", drawing);
  const bool loss_first = varying.loss_step && (!varying.norm_step || *varying.loss_step <= *varying.norm_step);
  const std::size_t step = loss_first ? *varying.loss_step : varying.norm_step.value_or(0);
  if (step == 0 && !loss_first) {
    return fmt::format("the first loss is equal, so weights and data are seeded: something random in backward{}",
                       drawn);
  }
  if (step == 0) {
    return fmt::format(
        "the very first loss differs: the initial weights or the first batch come from a generator that the seed does "
        "not set{}",
        drawn);
  }
  if (step == 1 && loss_first) {
    return fmt::format(
        "the first step is equal, so the initial weights are seeded: the second batch (order of loader workers, an "
        "unseeded shuffle), the update (a rate that depends on a clock){}",
        drawn);
  }
  return fmt::format(
      "up to step {} all is equal, so weights and data are seeded: something that begins later, such as the batch of "
      "this step (order of loader workers), a clock{}",
      step - 1, drawn);
}

std::string source_of_counts(const std::set<std::string>& boundaries, bool losses_vary) {
  if (losses_vary) return "they follow from the losses or the data that differ: look there first";
  if (boundaries.size() > 2) {
    return "losses are equal: another thread (a loader worker, a logger) runs operators, which count wherever the step "
           "happens to be";
  }
  if (boundaries == std::set<std::string>{"logging"}) {
    return "losses are equal: what is logged depends on a clock";
  }
  if (boundaries.contains("data_wait") || boundaries.contains("h2d")) {
    return "losses are equal: loader workers or another thread run operators while a step is counted";
  }
  return "losses are equal: the work depends on a generator that the seed does not set, on a clock, on an address (a "
         "cache, a hash order) or on another thread";
}

std::string source_of_bytes(bool work_varies) {
  return fmt::format(
      "{}. A baseline keeps each value that was seen, and a larger one stays undecided",
      work_varies ? "they follow from the counts, the losses or the data that differ: look there first"
                  : "counts and losses are equal: sizes or lifetimes depend on another thread, an address or a cache");
}

}  // namespace stepgate
