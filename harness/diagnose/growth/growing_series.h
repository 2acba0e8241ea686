// Does a value rise with the number of the step?
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/verdict/judged_comparison.h"

namespace stepgate {

/// One value per counted step.
using StepSeries = std::vector<std::int64_t>;

/// Three rises or more and no fall, with no stretch before the first or after the last rise that is more than twice the
/// longest gap between two: what came once, or came to an end, does not grow with the steps.
bool rises_with_steps(std::span<const std::int64_t> values);

/// What the values rise by from step to step, as a mean.
double rise_per_step(std::span<const std::int64_t> values);

/// "3, 4, 5 ... 10"; up to five values are all listed. `text` writes one of them.
std::string series_text(std::span<const std::int64_t> values, const std::function<std::string(double)>& text);

/// Whether the counted batches have one size, so that no count can follow from it: samples, padded and effective tokens
/// and the bytes that are copied to the device, as far as they are known.
bool has_equal_batches(const CaseValues& values);

/// Whether the sizes of the counted batches could explain a rise: they rise or fall with the steps themselves, or they
/// are others than those of the baseline.
bool batches_explain_a_rise(const JudgedComparison& input);

}  // namespace stepgate
