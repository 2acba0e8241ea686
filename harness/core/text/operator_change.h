// Which operators a step calls more or less often than before, boundary by boundary.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace stepgate {

/// Calls of one operator inside one boundary, per step.
struct OperatorChange {
  std::string boundary;
  std::string name;   ///< "aten::add"
  double before = 0;  ///< calls per step
  double after = 0;

  double difference() const { return after - before; }
};

/// boundary name -> operator name -> calls over `steps` steps, as in WorkCounts::operators.
struct OperatorCalls {
  const std::map<std::string, std::map<std::string, std::int64_t>>& by_boundary;
  std::size_t steps;
};

/// Every operator whose calls per step differ. Boundaries come in the order of a step; within a boundary the largest
/// difference comes first. Empty if either side counted no steps.
std::vector<OperatorChange> operator_changes(const OperatorCalls& before, const OperatorCalls& after);

/// The number of steps that a table of per-step sequences of the counts pass covers: 0 if it is empty. Sequences of the
/// memory pass in it play no part: that pass has steps of its own.
std::size_t counted_steps(const std::map<std::string, std::vector<std::int64_t>>& per_step);

/// Operators that give another view of a tensor, or one where they can (reshape). They compute nothing.
bool is_view(std::string_view name);

/// Operators that others call to allocate or copy. They do not say what the code does.
bool is_plumbing(std::string_view name);

}  // namespace stepgate
