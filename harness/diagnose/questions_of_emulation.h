// The questions about what ran on an emulated GPU (questions.h has the list of all).
#pragma once

#include <vector>

#include "core/verdict/judged_comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// Which accesses does nothing order? Codes: stream-hazard, a cause for each pair of places, with both lines;
/// hazards-unseen, a warning where kernels ran of which nobody tells what they read and write, or accesses were
/// dropped.
/// Precondition: stream hazards were looked for, and some were found or some work was not seen.
std::vector<Finding> explain_stream_hazards(const JudgedComparison& input);

/// Which operators of a case on an emulated GPU launch kernels of LibTorch that no trace of a real GPU has confirmed?
/// Code: operators-unconfirmed, a note.
/// Precondition: the GPU is an emulated one, and the counts pass named its kernels.
std::vector<Finding> explain_unconfirmed_operators(const JudgedComparison& input);

/// Does the calibration that was given know all library calls of both sides? Codes: sum-calibrated, a note with what
/// the sum then is; calibration-incomplete, a note with the calls that are missing and how they are added.
/// Precondition: a calibration was given.
std::vector<Finding> explain_calibration(const JudgedComparison& input);

}  // namespace stepgate
