// The changes between two baselines of a case, metric by metric and operator by operator.
#pragma once

#include <map>
#include <string>

#include "core/stored/baseline.h"
#include "core/stored/baseline_diff.h"

namespace stepgate {

/// `committed` is nullptr for a first baseline. Changes since the anchor refer to the committed anchor, or to the
/// pending one's if there is none.
BaselineDiff diff_baselines(const Baseline* committed, const Baseline& pending);

/// The one value per metric that rows, anchors and "previous" lines show (see BaselineDiffRow).
std::map<std::string, double> headline_values(const Baseline& baseline);

/// The metric that changed most, as one line: "operators_per_step 412 -> 413 (+0.24 %)"; "" if nothing changed.
std::string largest_move(const BaselineDiff& diff);

}  // namespace stepgate
