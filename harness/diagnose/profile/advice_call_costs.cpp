#include "diagnose/profile/advice_call_costs.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text/number_format.h"
#include "diagnose/patterns/pattern.h"
#include "diagnose/profile/kind_facts.h"

namespace stepgate {
namespace {

/// More would push other mends off the page, whose table has all places.
constexpr std::size_t most_places_advised = 3;

bool is_proven(const CallCost& cost) { return cost.proof == Proof::proven && cost.effect && cost.interval; }

bool is_whole_function(const CallCost& cost) { return cost.at.line <= 0; }

bool is_of_function(const SourceFrame& frame, const SourceFrame& function) {
  return frame.function == function.function && frame.file == function.file;
}

bool is_through(const std::vector<SourceFrame>& stack, const CallCost& cost) {
  return std::ranges::any_of(stack, [&](const SourceFrame& frame) {
    if (is_whole_function(cost)) return is_of_function(frame, cost.at);
    return frame.line == cost.at.line && frame.file == cost.at.file;
  });
}

/// True if it calls most of its operators itself.
bool is_leaf(const CallCost& cost, const Profile& profile) {
  double own_ns = 0;
  for (const OperatorRow& row : profile.operators) {
    if (row.at && is_through({*row.at}, cost)) own_ns += row.self_ns;
  }
  return 2 * own_ns > cost.observed * profile.step.mean_ns;
}

/// True if operators of this place belong to one of `others` too.
bool shares_operators(const CallCost& cost, const std::vector<const CallCost*>& others, const ObservedWork& work) {
  for (std::size_t i = 0; i < work.sites.size(); ++i) {
    const auto stack = frames_of(work, i);
    if (!is_through(stack, cost)) continue;
    if (std::ranges::any_of(others, [&](const CallCost* other) { return is_through(stack, *other); })) return true;
  }
  return false;
}

std::vector<const CallCost*> places_to_advise(const AdviceInput& input) {
  const bool observed = input.run != nullptr && input.run->observed;
  std::vector<const CallCost*> places;
  for (const bool leaves : {true, false}) {
    for (const CallCost& cost : input.profile.call_costs) {
      if (places.size() == most_places_advised) return places;
      if (!is_proven(cost) || is_leaf(cost, input.profile) != leaves) continue;
      if (leaves || !observed || !shares_operators(cost, places, *input.run->observed)) places.push_back(&cost);
    }
  }
  return places;
}

Advice call_advice_on(const CallCost& cost) {
  const Interval gain = gain_of(cost);
  return {(gain.lower + gain.upper) / 2, cost.proof,
          fmt::format("the operators of {} take this: what a cheaper form of them wins at most", cost.name),
          fmt::format("repeated calls: the step is {} longer when they run twice; they were seen to take {}",
                      share_with_interval(*cost.effect, *cost.interval), share_text(cost.observed)),
          cost.at};
}

}  // namespace

std::vector<Advice> call_cost_advice(const AdviceInput& input) {
  std::vector<Advice> advice;
  for (const CallCost* cost : places_to_advise(input)) advice.push_back(call_advice_on(*cost));
  return advice;
}

void bound_by_call_costs(const std::vector<CallCost>& costs, const std::vector<std::vector<SourceFrame>>& stacks,
                         Advice& advice) {
  const CallCost* least = nullptr;
  for (const CallCost& cost : costs) {
    const bool holds_all = !stacks.empty() && std::ranges::all_of(stacks, [&](const std::vector<SourceFrame>& stack) {
      return is_through(stack, cost);
    });
    if (!holds_all || !is_proven(cost)) continue;
    if (least == nullptr || gain_of(cost).upper < gain_of(*least).upper) least = &cost;
  }
  if (least == nullptr || advice.worth <= gain_of(*least).upper) return;
  advice.worth = gain_of(*least).upper;
  advice.evidence += fmt::format("; repeated calls: all operators of {} cost at most {} of the step", least->name,
                                 share_text(advice.worth));
}

}  // namespace stepgate
