// The census of a profile in a few lines.
#pragma once

#include <string>
#include <vector>

#include "core/study/work_census.h"

namespace stepgate {

/// Copies by cause, operands of matrix products by layout, dtypes by class of operators: one line each, without those
/// that have nothing to say. "copies 2.10 MB a step: layout 2.00 MB by aten::flatten (1.0 call), ..."
std::vector<std::string> census_texts(const WorkCensus& census);

}  // namespace stepgate
