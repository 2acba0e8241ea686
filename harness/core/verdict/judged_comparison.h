// A comparison with its verdict: the complete input of the explanation.
#pragma once

#include "core/verdict/comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

struct JudgedComparison : Comparison {
  CaseVerdict verdict = {};
};

}  // namespace stepgate
