// Which calls of the base are which calls of the head. Lines move between builds, so that a line number alone says
// little.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/record/observed_work.h"
#include "core/study/step_difference.h"

namespace stepgate {

/// The processes of two builds that were observed.
struct ObservedBuilds {
  std::vector<ObservedWork> base;
  std::vector<ObservedWork> head;
};

/// Calls of one operator in one boundary from one line, in both builds. A side that lacks the row has zeros.
struct MatchedRow {
  std::string boundary;
  std::string name;
  std::optional<SourceFrame> at = std::nullopt;  ///< the head's; the base's where only the base has the row
  std::vector<RowWork> base;                     ///< work of each process, per step
  std::vector<RowWork> head;
  bool in_base = false;
  bool in_head = false;
  std::optional<OperatorSite> base_site = std::nullopt;  ///< the costliest of its sites
  std::optional<OperatorSite> head_site = std::nullopt;
};

/// Rows by boundary, operator and the innermost line. First, the lines of a function that do the same work are laid
/// beside each other in their order; the same line number is preferred. Then the remaining rows of an operator in a
/// function are matched by equal work, then by order. Last, the remaining rows of a boundary are matched by equal work
/// alone, since a function may have a new name. The rest is new or gone. If the two builds know different things of
/// their places, functions are left out. Processes without steps are not allowed.
std::vector<MatchedRow> matched_rows(const ObservedBuilds& builds);

}  // namespace stepgate
