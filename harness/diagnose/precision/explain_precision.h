// Is mixed precision used as it should be?
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/verdict/verdict.h"
#include "diagnose/patterns/pattern.h"

namespace stepgate {

/// A fault, or work that mixed precision need not do. A fault is wrong in any step, whatever the baseline has.
struct PrecisionPattern {
  FindingCode code;
  Severity severity = Severity::note;
  std::string_view advice;
  std::vector<PatternMatch> (*find)(const ObservedWork&) = nullptr;
};

/// Every one (docs/design/causes.md, "Mixed precision").
std::span<const PrecisionPattern> precision_table();

}  // namespace stepgate
