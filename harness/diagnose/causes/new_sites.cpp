#include "diagnose/causes/new_sites.h"

#include <algorithm>

#include "diagnose/both_sides.h"
#include "diagnose/patterns/site_reading.h"
#include "diagnose/work/operator_difference.h"

namespace stepgate {
namespace {

/// Means over steps are quotients of integers: two that are equal differ by less.
constexpr double nearly_equal = 1e-6;

std::string function_of(const ObservedWork& work, std::size_t site) {
  const auto frames = frames_of(work, site);
  return frames.empty() ? "" : frames.front().function;
}

bool is_same_operator(const OperatorSite& a, const OperatorSite& b) {
  return a.boundary == b.boundary && a.name == b.name;
}

/// Calls per step of the site's operator in its function, before; absent where the baseline does not know functions of
/// the same kind.
std::optional<double> calls_before(const Comparison& input, const ObservedWork& work, std::size_t site) {
  const Baseline* baseline = work_baseline(input);
  const std::string function = function_of(work, site);
  if (baseline == nullptr || function.empty() || baseline->functions_from != name_of(work.frames_from)) return {};
  const std::size_t steps = counted_steps(baseline->exact);
  const auto boundary = baseline->operator_functions.find(work.sites[site].boundary);
  if (steps == 0 || boundary == baseline->operator_functions.end()) return {};
  const auto name = boundary->second.find(work.sites[site].name);
  if (name == boundary->second.end()) return 0;
  const auto calls = name->second.find(function);
  return calls == name->second.end() ? 0 : static_cast<double>(calls->second) / static_cast<double>(steps);
}

/// Calls per step of the site's operator in its function, now.
double calls_in_function(const ObservedWork& work, std::size_t site) {
  double calls = 0;
  for (std::size_t i = 0; i < work.sites.size(); ++i) {
    if (is_same_operator(work.sites[i], work.sites[site]) && function_of(work, i) == function_of(work, site))
      calls += calls_per_step(work, work.sites[i]);
  }
  return calls;
}

bool can_be_new(const Comparison& input, const ObservedWork& work, std::size_t site, double rise) {
  const auto before = calls_before(input, work, site);
  const double in_function = before ? calls_in_function(work, site) - *before : rise;
  return calls_per_step(work, work.sites[site]) <= std::min(rise, in_function) + nearly_equal;
}

bool is_match(const std::vector<PatternMatch>& matches, std::size_t site) {
  return std::any_of(matches.begin(), matches.end(), [&](const PatternMatch& match) { return match.site == site; });
}

}  // namespace

std::vector<PatternMatch> new_matches(const Comparison& input, const ObservedWork& work,
                                      const std::vector<PatternMatch>& matches) {
  const auto changes = operator_difference(input);
  std::vector<PatternMatch> found;
  for (const PatternMatch& match : matches) {
    const OperatorSite& site = work.sites[match.site];
    const double rise = calls_more(changes, site.boundary, site.name);
    if (rise <= 0 || !can_be_new(input, work, match.site, rise)) continue;
    double calls = 0;
    bool all_match = true;
    for (std::size_t i = 0; i < work.sites.size(); ++i) {
      if (!is_same_operator(work.sites[i], site) || !can_be_new(input, work, i, rise)) continue;
      calls += calls_per_step(work, work.sites[i]);
      all_match = all_match && is_match(matches, i);
    }
    if (calls <= rise + nearly_equal || all_match) found.push_back(match);
  }
  return found;
}

}  // namespace stepgate
