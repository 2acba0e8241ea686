#include "diagnose/causes/new_sites.h"

#include <algorithm>

#include "diagnose/both_sides.h"
#include "diagnose/boundary_shares.h"
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

/// The facts that decide whether a site is new. Borrows.
struct NewCalls {
  const JudgedComparison& input;
  const ObservedWork& work;
  std::vector<OperatorChange> changes;  ///< changes of the operators since the baseline
};

/// Calls per step of the site's operator in its function, before; absent where the baseline does not know functions of
/// the same kind.
std::optional<double> calls_before(const JudgedComparison& input, const ObservedWork& work, std::size_t site) {
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

bool can_be_new(const NewCalls& calls, std::size_t site, double rise) {
  const ObservedWork& work = calls.work;
  const auto before = calls_before(calls.input, work, site);
  const double in_function = before ? calls_in_function(work, site) - *before : rise;
  return calls_per_step(work, work.sites[site]) <= std::min(rise, in_function) + nearly_equal;
}

/// The sites of one operator whose calls may explain the rise; none if the calls did not rise.
struct Candidates {
  double rise = 0;  ///< calls per step
  std::vector<std::size_t> sites;

  bool holds(std::size_t site) const { return std::find(sites.begin(), sites.end(), site) != sites.end(); }
};

Candidates candidates_for(const NewCalls& calls, const OperatorSite& site) {
  const ObservedWork& work = calls.work;
  Candidates candidates{calls_more(calls.changes, site.boundary, site.name), {}};
  for (std::size_t i = 0; candidates.rise > 0 && i < work.sites.size(); ++i) {
    if (is_same_operator(work.sites[i], site) && can_be_new(calls, i, candidates.rise)) candidates.sites.push_back(i);
  }
  return candidates;
}

/// The rise has room for all of them: each is new.
bool are_all_new(const ObservedWork& work, const Candidates& candidates) {
  double calls = 0;
  for (const std::size_t site : candidates.sites) calls += calls_per_step(work, work.sites[site]);
  return !candidates.sites.empty() && calls <= candidates.rise + nearly_equal;
}

/// Another operator of the same line is certainly new, e.g. the cast that backward makes for a product.
bool has_new_line(const NewCalls& calls, std::size_t site) {
  const ObservedWork& work = calls.work;
  const auto own = frames_of(work, site);
  for (std::size_t i = 0; !own.empty() && i < work.sites.size(); ++i) {
    const auto frames = frames_of(work, i);
    if (frames.empty() || !(frames.front() == own.front()) || is_same_operator(work.sites[i], work.sites[site]))
      continue;
    const Candidates candidates = candidates_for(calls, work.sites[i]);
    if (candidates.holds(i) && are_all_new(work, candidates)) return true;
  }
  return false;
}

/// The candidates on new lines, if that tells them from the others.
Candidates on_new_lines(const NewCalls& calls, const Candidates& candidates) {
  Candidates kept{candidates.rise, {}};
  for (const std::size_t site : candidates.sites) {
    if (has_new_line(calls, site)) kept.sites.push_back(site);
  }
  return kept.sites.empty() ? candidates : kept;
}

/// Bytes that a step touches more than before inside the boundary; 0 where the baseline does not know.
double more_bytes_touched(const JudgedComparison& input, const std::string& boundary) {
  constexpr const char* metric = "bytes_touched_per_step";
  const Baseline* baseline = work_baseline(input);
  if (baseline == nullptr || !baseline->counts_by_boundary.contains(metric)) return 0;
  return share_of(changed_shares(input, metric), boundary);
}

/// If the boundary touches as many more bytes as the largest candidate does, a candidate that touches next to none is
/// not the new one.
Candidates that_touch_bytes(const NewCalls& calls, const Candidates& candidates) {
  const ObservedWork& work = calls.work;
  constexpr double next_to_none = 0.01;  // scalar arithmetic beside a tensor of the batch: 8 bytes beside 100 kB
  const auto bytes = [&](std::size_t site) {
    return static_cast<double>(work.sites[site].bytes) / static_cast<double>(work.steps);
  };
  double largest = 0;
  for (const std::size_t site : candidates.sites) largest = std::max(largest, bytes(site));
  const std::string& boundary = work.sites[candidates.sites.front()].boundary;
  if (largest <= 0 || more_bytes_touched(calls.input, boundary) < largest) return candidates;
  Candidates kept{candidates.rise, {}};
  for (const std::size_t site : candidates.sites) {
    if (bytes(site) > next_to_none * largest) kept.sites.push_back(site);
  }
  return kept;
}

bool is_match(const std::vector<PatternMatch>& matches, std::size_t site) {
  return std::any_of(matches.begin(), matches.end(), [&](const PatternMatch& match) { return match.site == site; });
}

}  // namespace

std::vector<PatternMatch> new_matches(const JudgedComparison& input, const ObservedWork& work,
                                      const std::vector<PatternMatch>& matches) {
  const NewCalls calls{input, work, operator_difference(input)};
  std::vector<PatternMatch> found;
  for (const PatternMatch& match : matches) {
    Candidates candidates = candidates_for(calls, work.sites[match.site]);
    if (!candidates.holds(match.site)) continue;
    if (!are_all_new(work, candidates)) candidates = on_new_lines(calls, candidates);
    if (!are_all_new(work, candidates)) candidates = that_touch_bytes(calls, candidates);
    const bool all_match = std::all_of(candidates.sites.begin(), candidates.sites.end(),
                                       [&](std::size_t site) { return is_match(matches, site); });
    if (candidates.holds(match.site) && (are_all_new(work, candidates) || all_match)) found.push_back(match);
  }
  return found;
}

}  // namespace stepgate
