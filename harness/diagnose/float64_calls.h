// Says whether the operator that a cause names makes float64 values.
#pragma once

#include <string_view>
#include <vector>

#include "core/code_place.h"
#include "core/verdict/judged_comparison.h"

namespace stepgate {

/// An operator that a boundary calls more often, and where.
struct NamedOperator {
  std::string_view boundary;
  std::string_view name;
  std::vector<SourceFrame> lines;  ///< empty: any line
};

/// Whether it makes float64 tensors at one of these lines, or casts a scalar to it.
bool makes_float64(const JudgedComparison& input, const NamedOperator& called);

}  // namespace stepgate
