// Limits on the value of a metric itself, whatever it is compared with: floors, budgets and targets of one case.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/metric_row.h"
#include "core/stored/policy.h"

namespace stepgate {

enum class AbsoluteLimitKind {
  floor,   ///< the lowest allowed value of a metric of which more is better
  budget,  ///< the highest allowed value of a metric of which less is better
  target   ///< a value to be reached, in the metric's own direction; it changes no verdict
};

std::string_view name_of(AbsoluteLimitKind kind);  ///< "floor", "budget", "target"
std::optional<AbsoluteLimitKind> absolute_limit_kind_named(std::string_view name);

struct AbsoluteLimit {
  AbsoluteLimitKind kind = AbsoluteLimitKind::floor;
  std::string metric;
  double value = 0;  ///< in the unit of the metric
};

/// The case that limits are looked up for, and where it was measured.
struct LimitedCase {
  std::string_view name;
  std::string_view runner_class;
};

/// One limit for each kind and metric: the strictest of those that name the case and hold for the runner class. Floors
/// first, then budgets, then targets, each in the order of their metrics' names.
std::vector<AbsoluteLimit> limits_of(const Policy& policy, const LimitedCase& limited);

/// Whether a limit asks for a value of at least its own, rather than of at most its own.
bool is_lower_limit(const AbsoluteLimit& limit);

/// Whether a value keeps a limit. NaN keeps none.
bool keeps(const AbsoluteLimit& limit, double value);

}  // namespace stepgate
