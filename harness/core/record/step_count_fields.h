// The names of the step counts: one table for flags, fingerprints, lists and files.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "stepgate/step_counts.h"

namespace stepgate {

struct StepCountField {
  std::string_view name;
  std::int64_t StepCounts::*member;
};

/// In the order in which files list them.
inline constexpr std::array<StepCountField, 12> step_count_fields = {{{"e2e", &StepCounts::e2e},
                                                                      {"window", &StepCounts::window},
                                                                      {"phase", &StepCounts::phase},
                                                                      {"synthetic", &StepCounts::synthetic},
                                                                      {"loader", &StepCounts::loader},
                                                                      {"h2d", &StepCounts::h2d},
                                                                      {"logging", &StepCounts::logging},
                                                                      {"counts", &StepCounts::counts},
                                                                      {"memory", &StepCounts::memory},
                                                                      {"numerics", &StepCounts::numerics},
                                                                      {"exact_warmup", &StepCounts::exact_warmup},
                                                                      {"warmup_cap", &StepCounts::warmup_cap}}};

}  // namespace stepgate
