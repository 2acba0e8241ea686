#include "judge/verdict/unstable_queue.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <string>

#include "core/text/number_format.h"
#include "judge/rules/comparable.h"

namespace stepgate {
namespace {

/// Pairs in which the base and the head both kept up.
std::int64_t pairs_that_kept_up(const PairedValues& pairs, const std::string& metric) {
  const auto found = pairs.timed.find(metric);
  return found == pairs.timed.end() ? 0 : std::ssize(found->second);
}

/// So many pairs, each with the head overloaded and not the base, are no chance.
std::int64_t pairs_that_prove(const Comparison& input) {
  const double share = input.policy.alpha / static_cast<double>(std::max<std::int64_t>(1, input.hypotheses));
  return static_cast<std::int64_t>(std::ceil(-std::log2(share)));
}

}  // namespace

std::optional<MetricVerdict> judge_unstable_queue(const Metric& metric, const Comparison& input) {
  const PairedValues& pairs = *pairs_of(input);
  const auto found = pairs.overloaded.find(std::string(metric.name));
  if (found == pairs.overloaded.end() || found->second.head == 0) return std::nullopt;
  const OverloadedSides& overloaded = found->second;
  const std::int64_t kept_up = pairs_that_kept_up(pairs, found->first);
  const std::int64_t needed = pairs_that_prove(input);
  MetricVerdict verdict = open_verdict(metric, Scope::runner);
  const std::int64_t all = overloaded.head + overloaded.base + kept_up;
  const std::string figures =
      fmt::format("{}; so in {} of {}, {}", overloaded.why, overloaded.head, counted(all, "pair"),
                  overloaded.base == 0 ? std::string("and the base kept up in each")
                                       : fmt::format("and in {} the base alone did not keep up", overloaded.base));
  // A load just above its limit with a queue that empties is no slower answer: that withholds the verdict only.
  const bool always_grew = overloaded.head_grew == all;
  const bool steady = 2 * input.current.unsteady <= input.current.clean_timed;
  if (always_grew && steady && overloaded.head >= needed) {
    settle(verdict, Status::regressed, ReasonCode::queue_unstable, figures);
  } else {
    settle(verdict, Status::inconclusive, ReasonCode::queue_unstable, figures);
    if (always_grew && overloaded.head < needed) verdict.more_replicates = needed - overloaded.head;
  }
  return verdict;
}

}  // namespace stepgate
