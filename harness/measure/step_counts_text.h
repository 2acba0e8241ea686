// Step counts as text: "e2e=60,window=10". One table of names for flags, fingerprints and lists.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "core/plan.h"

namespace stepgate {

struct StepCountField {
  std::string_view name;
  std::int64_t StepCounts::*member;
};

inline constexpr std::array<StepCountField, 9> step_count_fields = {{{"e2e", &StepCounts::e2e},
                                                                     {"window", &StepCounts::window},
                                                                     {"phase", &StepCounts::phase},
                                                                     {"synthetic", &StepCounts::synthetic},
                                                                     {"counts", &StepCounts::counts},
                                                                     {"memory", &StepCounts::memory},
                                                                     {"numerics", &StepCounts::numerics},
                                                                     {"exact_warmup", &StepCounts::exact_warmup},
                                                                     {"warmup_cap", &StepCounts::warmup_cap}}};

/// `declared` with the counts that `overrides` names. Throws Error(usage) naming --stepgate_steps and the entry for
/// unknown names, anything that is no whole number, and counts below 1 (below 0 for exact_warmup).
StepCounts override_steps(StepCounts declared, std::string_view overrides);

/// Throws Error(usage) where a case declares a count below 1 (below 0 for exact_warmup).
void require_sensible(const StepCounts& steps, std::string_view case_name);

/// The counts that the results of a group depend on: "counts=8,memory=12,numerics=21,exact_warmup=3" for exact,
/// "e2e=60,window=10,phase=30,synthetic=30" for timed and reference.
std::string steps_text(const StepCounts& steps, Group group);

}  // namespace stepgate
