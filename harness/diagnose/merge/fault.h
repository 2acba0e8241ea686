// Causes on their way to one cause per fault, for the steps of merge_causes.h.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/verdict/judged_comparison.h"
#include "core/verdict/verdict.h"

namespace stepgate {

/// A CUDA allocator rounds each allocation up to this many bytes, so a peak may rise by more than was asked for.
inline constexpr double allocation_rounding = 512;

/// What a cause explains: the rise of a metric inside a boundary, or all of it.
struct ExplainedRise {
  std::string metric;
  std::string boundary;  ///< "": all of it

  bool operator==(const ExplainedRise&) const = default;
};

/// A cause and the figures that the same fault moved.
struct Fault {
  Finding finding;
  std::vector<ExplainedRise> claims = {};
  std::vector<std::string> parts = {};
  std::string steps = {};  ///< ", in every counted step"
  bool merged = false;     ///< it is part of another fault now
};

using Faults = std::vector<Fault>;

/// It claims its metrics inside its boundary.
Fault fault_of(Finding finding);

/// The part of the metric's rise that its claims explain, 0 to 1.
double share_explained(const JudgedComparison& input, const Fault& fault, const std::string& metric);

/// It names operators that a boundary calls more often.
bool is_operator_cause(const Fault& fault);
bool is_host_sync(const Fault& fault);

/// Each is nullptr where there is none that is not merged.
Fault* find_fault(Faults& faults, FindingCode code);
Fault* find_fault(Faults& faults, FindingCode code, std::string_view metric);
Fault* added_operators(Faults& faults, std::string_view boundary);

/// Makes `part` a part of `whole`, said as `text` (nothing for "").
void take(Fault& part, const std::string& text, Fault& whole);

/// The same, with its own message as the text and its parts in brackets.
void take_whole(Fault& part, Fault& whole);

/// The most that a peak can rise by what the step allocates more.
double allocated_more(const JudgedComparison& input);

/// The finding with its steps and parts.
Finding written(Fault fault);

}  // namespace stepgate
