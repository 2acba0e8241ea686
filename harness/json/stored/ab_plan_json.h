// The plan of an A/B run as a document: ab.json.
#pragma once

#include <string>
#include <string_view>

#include "core/study/ab_plan.h"

namespace stepgate {

std::string to_text(const AbPlan& plan);

/// Throws Error(measure) naming `source` and the key.
AbPlan ab_plan_from_text(std::string_view text, const std::string& source);

}  // namespace stepgate
