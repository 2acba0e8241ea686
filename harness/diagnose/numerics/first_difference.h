// In which step, and in which loss or norm of it, do two numerics passes differ first?
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/record/run_record.h"
#include "core/step_boundaries.h"
#include "core/verdict/judged_comparison.h"
#include "core/verdict/losses/numeric_tolerance.h"

namespace stepgate {

/// One sequence (a loss, the gradient norm or the loss scale) on both sides.
struct NumericSequence {
  std::string metric;
  const std::vector<double>& before;
  const std::vector<double>& now;
  NumericTolerance tolerance;
  /// Differences up to it can be rounding: the same code on another CPU of the same instruction set gives them.
  NumericTolerance rounding;
  std::size_t compared;  ///< steps that the policy compares

  std::size_t length() const;
};

/// The sequences of a metric that both traces have.
NumericSequence sequence_of(const JudgedComparison& input, const std::string& metric, const NumericTrace& before,
                            const NumericTrace& now);

/// The first step out of tolerance.
std::optional<std::size_t> first_outside(const NumericSequence& sequence);

/// The boundary that computes the metric: a further loss has the name of its own.
std::string boundary_of(const std::string& metric, const StepBoundaries& boundaries);

/// The sequences of `now` in the order in which a step computes them: what differs first in a step is the cause of what
/// differs later in it. A further loss without a boundary of its own comes after the loss.
std::vector<std::string> in_step_order(const JudgedComparison& input, const NumericTrace& now);

/// A place in a sequence.
struct SequencePlace {
  std::string metric;
  std::size_t step = 0;
};

/// The earliest step in which two traces differ by more than the tolerance, and in it the metric that is computed
/// first.
std::optional<SequencePlace> first_place_outside(const JudgedComparison& input, const NumericTrace& before,
                                                 const NumericTrace& now);

/// Where the traces of two builds begin to differ.
struct NumericDifference {
  SequencePlace first;    ///< where the change shows first; `outside` where nothing earlier can be told from rounding
  SequencePlace outside;  ///< the first value out of tolerance
  std::optional<std::size_t> rounding_from = std::nullopt;  ///< the step from which on values differ by rounding alone
};

/// Absent where all values are within tolerance. A change shows before it is out of tolerance: an update without
/// clipping is other in its first step, and its losses drift apart. So the first value counts that is not equal to the
/// bit. A stored baseline may come from another machine. There a difference of no more than rounding counts only if the
/// step behind it differs by more: else the two sides round differently, and the first value counts that stands out
/// from rounding by a jump, at the latest the first one out of tolerance. If processes of the head do not agree to the
/// bit, only the tolerance tells.
std::optional<NumericDifference> numeric_difference(const JudgedComparison& input, const NumericTrace& before,
                                                    const NumericTrace& now);

}  // namespace stepgate
