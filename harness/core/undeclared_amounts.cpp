#include "core/undeclared_amounts.h"

#include <algorithm>
#include <array>

namespace stepgate {
namespace {

struct Amount {
  const char* metric;
  const char* field;              ///< of Batch and StepWork
  const char* follows = nullptr;  ///< a metric that is computed from it
};

constexpr std::array amounts = {
    Amount{"samples_per_step", "samples"},
    Amount{"padded_tokens_per_step", "padded_tokens"},
    Amount{"effective_tokens_per_step", "effective_tokens", "padding_tokens_per_step"},
};

bool is_declared(const std::vector<std::int64_t>& values) {
  return std::any_of(values.begin(), values.end(), [](std::int64_t value) { return value != 0; });
}

}  // namespace

std::map<std::string, std::string> undeclared_amounts(const StepValues& per_step) {
  std::map<std::string, std::string> reasons;
  for (const Amount& amount : amounts) {
    const auto values = per_step.find(amount.metric);
    if (values == per_step.end() || is_declared(values->second)) continue;
    const std::string reason = std::string("no step declares its ") + amount.field + ": set Batch::" + amount.field +
                               ", or StepWork::" + amount.field + " in a loop";
    reasons[amount.metric] = reason;
    if (amount.follows != nullptr && per_step.contains(amount.follows)) reasons[amount.follows] = reason;
  }
  return reasons;
}

StepValues without_undeclared(StepValues per_step) {
  for (const auto& [metric, reason] : undeclared_amounts(per_step)) per_step.erase(metric);
  return per_step;
}

}  // namespace stepgate
