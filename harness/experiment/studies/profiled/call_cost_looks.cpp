#include "experiment/studies/profiled/call_cost_looks.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "core/record/clean_records.h"
#include "experiment/studies/profiled/further_processes.h"
#include "judge/studies/call_costs.h"
#include "judge/studies/profile_looks.h"

namespace stepgate {
namespace {

bool may_look_again(const Measurement& repeats) {
  return std::ranges::none_of(repeats.replicates, counts_as_failed) &&
         std::ranges::any_of(repeats.replicates, is_clean);
}

/// The request of the first look, with the chosen places alone.
LaunchRequest request_of_next_look(const CallCostStudy& study, const std::vector<std::string>& chosen) {
  LaunchRequest request = study.request;
  std::erase_if(request.repeats,
                [&](const RepeatedPlace& place) { return std::ranges::find(chosen, place.name) == chosen.end(); });
  request.plan.timed_replicates = study.further_processes;
  request.out_dir += fmt::format("-{}", study.request.plan.timed_replicates);
  return request;
}

}  // namespace

std::vector<CallCost> measured_call_costs(const CallCostStudy& study) {
  const std::size_t looks = study.further_processes > 0 ? 2 : 1;
  const auto rules_of = [&](std::size_t look) {
    return ExperimentRules{.level = 1 - error_of_look(look, looks), .ignore_margin = study.ignore_margin};
  };
  Measurement repeats = study.measure(study.request);
  std::vector<CallCost> now = call_costs(study.places, {.repeats = repeats}, rules_of(0));
  const std::vector<std::string> chosen = places_of_next_look(now);
  if (looks == 1 || chosen.empty() || !may_look_again(repeats)) return now;
  const std::int64_t first = std::ssize(repeats.replicates);
  join_further_processes(study.measure(request_of_next_look(study, chosen)), repeats);
  return call_costs(study.places,
                    {.repeats = repeats, .first_look = first, .ended = ended_before(std::move(now), chosen)},
                    rules_of(1));
}

}  // namespace stepgate
