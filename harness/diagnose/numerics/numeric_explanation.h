// What a first difference of losses or gradients says about the step.
#pragma once

#include <string>

#include "core/record/run_record.h"
#include "core/verdict/finding_code.h"
#include "core/verdict/judged_comparison.h"
#include "diagnose/numerics/first_difference.h"

namespace stepgate {

struct NumericExplanation {
  FindingCode code = FindingCode::numerics_changed;
  std::string message;  ///< what differs first, both values, and from which step on it is out of tolerance
  std::string advice;
};

NumericExplanation explain_difference(const JudgedComparison& input, const NumericDifference& difference,
                                      const NumericTrace& before, const NumericTrace& now);

}  // namespace stepgate
