// `stepgate ablate`: the effect of each knob on the noise of a case.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/groups/documents.h"
#include "cli/options/groups/machine.h"
#include "cli/options/groups/measuring.h"
#include "cli/options/groups/places.h"
#include "cli/options/option_row.h"
#include "experiment/studies/run_ablation.h"

namespace stepgate {

struct AblateCommand {
  std::vector<std::string> arguments;
  MeasuredPlaces places;
  Measuring measuring;
  GuardedMachine machine;
  std::optional<std::int64_t> pairs;
  std::optional<std::uint64_t> order_seed;
  StudyOutput output;
};
OptionRows rows_of(AblateCommand& o);

/// Throws Error(usage) unless one case is named.
AblationOptions ablation_options(const AblateCommand& o);

/// The exit status.
int command_ablate(const AblateCommand& o);

}  // namespace stepgate
