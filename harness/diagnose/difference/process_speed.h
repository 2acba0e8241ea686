// How slow the machine was for each observed process.
#pragma once

#include <vector>

#include "core/study/step_difference.h"
#include "diagnose/difference/matched_rows.h"

namespace stepgate {

/// Times of a process are divided by its factor. 1: as slow as the base's processes mostly were.
struct ProcessSpeeds {
  std::vector<double> base;
  std::vector<double> head;
};

/// Whether the numbers that repeat are the same in all processes of both builds, or overlap where they vary by
/// themselves.
WorkChange work_change(const MatchedRow& row);

/// The factor of a process: the median, over the rows with the same work that take at least `least_ns` a step, of its
/// time over the median time of the base's processes. All are 1 where such rows take less than a tenth of what all rows
/// of the base take.
ProcessSpeeds process_speeds(const std::vector<MatchedRow>& rows, double least_ns);

/// Head over base, pair by pair: the part of the factors that is not noise of the machine, with an interval of `level`.
/// For a single pair the interval is its ratio, and nothing differs.
CommonFactor common_factor(const ProcessSpeeds& speeds, double level);

/// Divides every self time by the factor of its process.
void divide_out(const ProcessSpeeds& speeds, std::vector<MatchedRow>& rows);

}  // namespace stepgate
