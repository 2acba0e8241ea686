// The input of an explanation: both sides of the comparison and their verdict.
#pragma once

#include "core/stored/baseline.h"
#include "core/stored/policy.h"
#include "core/verdict/case_values.h"
#include "core/verdict/verdict.h"

namespace stepgate {

struct DiagnoseInput {
  const CaseValues& current;
  const Baseline* portable = nullptr;  ///< nullptr: none, or not looked at
  const Baseline* runner = nullptr;
  const CaseVerdict& verdict;
  const Policy* policy = nullptr;  ///< tolerances of the numeric tier; nullptr: the defaults
  bool two_measurements = false;   ///< both sides are stored files: nothing more is measured or accepted
};

}  // namespace stepgate
