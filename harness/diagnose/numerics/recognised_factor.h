// A ratio of two numbers of a training step that says by itself what was forgotten.
#pragma once

#include <optional>
#include <string>

#include "core/record/run_record.h"
#include "core/verdict/judged_comparison.h"
#include "diagnose/numerics/first_difference.h"

namespace stepgate {

struct RecognisedFactor {
  std::string says;    ///< "65 536 times as large = the loss scale"
  std::string advice;  ///< what to look for, "" where the factor has several reasons
};

/// Compares the values at a place of two traces with the loss scale, samples and tokens of a batch, powers of two as
/// scales are, and small whole numbers. Absent where the ratio is none of them.
std::optional<RecognisedFactor> recognised_factor(const JudgedComparison& input, const SequencePlace& place,
                                                  const NumericTrace& before, const NumericTrace& now);

}  // namespace stepgate
