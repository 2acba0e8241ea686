// Why so many calls? Words of the amounts of a step.
#pragma once

#include <string>

#include "core/record/observed_work.h"

namespace stepgate {

/// "once per token", "5 per parameter tensor"; "" where no amount of the step fits. `site` holds totals over
/// work.steps.
std::string calls_explained(const OperatorSite& site, const ObservedWork& work);

}  // namespace stepgate
