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
  if (found == pairs.overloaded.end()) return std::nullopt;
  const OverloadedHead& overloaded = found->second;
  const std::int64_t kept_up = pairs_that_kept_up(pairs, found->first);
  const std::int64_t needed = pairs_that_prove(input);
  MetricVerdict verdict = open_verdict(metric, Scope::runner);
  const std::string figures = fmt::format("{}; so in {} of {}, and the base kept up in each", overloaded.why,
                                          overloaded.pairs, counted(overloaded.pairs + kept_up, "pair"));
  if (kept_up == 0 && overloaded.pairs >= needed) {
    settle(verdict, Status::regressed, ReasonCode::queue_unstable, figures);
  } else {
    settle(verdict, Status::inconclusive, ReasonCode::queue_unstable, figures);
    if (kept_up == 0) verdict.more_replicates = needed - overloaded.pairs;
  }
  return verdict;
}

}  // namespace stepgate
