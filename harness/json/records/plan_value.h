// Plan and StepCounts inside documents. Internal to json/ (mentions nlohmann).
#pragma once

#include "core/plan.h"
#include "json/text/reader.h"
#include "stepgate/step_counts.h"

namespace stepgate {

Json value_of(const StepCounts& steps);
StepCounts step_counts_at(Reader reader);

Json value_of(const Plan& plan);
Plan plan_at(Reader reader);

Group group_at(const Reader& reader);

}  // namespace stepgate
