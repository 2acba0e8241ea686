// Losses that are not finite, in the passes beside numerics: which came first, and whether the base has the same.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/verdict/comparison.h"

namespace stepgate {

struct LateBreak {
  std::string metric;  ///< "loss", "loss[discriminator]"
  std::string pass;
  Group group = Group::timed;
  std::int64_t replicate = 0;
  LossBreak found;
};

/// Of each metric the break with the lowest step.
std::vector<LateBreak> late_breaks(const std::vector<ProcessLosses>& processes);

/// The break of the base that makes that of the head none of the change's doing; absent if there is none. Steps of
/// exact passes repeat, so the base must break at the same step or before. How many timed steps run depends on time, so
/// there any break of a timed pass counts.
std::optional<LateBreak> break_of_base(const std::vector<ProcessLosses>& base, const LateBreak& of_head);

/// "nan in step 34, pass e2e of timed process 2"
std::string text_of(const LateBreak& one);

}  // namespace stepgate
