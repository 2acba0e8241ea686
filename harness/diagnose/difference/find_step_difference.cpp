#include "diagnose/difference/find_step_difference.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "core/boundary.h"
#include "diagnose/difference/difference_text.h"
#include "diagnose/difference/matched_rows.h"
#include "diagnose/difference/operand_change.h"
#include "diagnose/difference/process_speed.h"
#include "stats/holm.h"
#include "stats/mean_interval.h"
#include "stats/student_t.h"
#include "stats/summary.h"
#include "stats/variance_prior.h"

namespace stepgate {
namespace {

/// The probability that any row is named that differs by chance alone, over all rows. With the common factor and what
/// pulling in far values adds, unchanged code is named in less than 5 % (tests/diagnose/difference).
constexpr double family_level = 0.02;
constexpr double alike_level = 0.99;
constexpr double interval_level = 0.95;

/// A ratio further than this many standard deviations from the median of its row counts as that far: something else ran
/// meanwhile. One in 370 normal ratios lies beyond.
constexpr double most_deviations = 3;

/// The other rows count as at most so many further pairs: rows of one process are not independent of each other.
constexpr double most_prior_degrees = 10;

RowWork mean_work(const std::vector<RowWork>& processes) {
  RowWork sum;
  for (const RowWork& work : processes) {
    sum.calls += work.calls;
    sum.flops += work.flops;
    sum.bytes += work.bytes;
    sum.self_ns += work.self_ns;
  }
  const auto count = static_cast<double>(processes.size());
  return {sum.calls / count, sum.flops / count, sum.bytes / count, sum.self_ns / count};
}

/// Nanoseconds that observing one call costs: steps with observer against as many without, median over processes.
double observer_ns_a_call(const DifferenceInput& input) {
  std::vector<double> costs;
  for (const auto* side : {&input.base, &input.head}) {
    for (const ProfileRun& run : *side) {
      double calls = 0;
      for (const OperatorSite& site : run.observed->sites) calls += static_cast<double>(site.calls);
      if (calls == 0 || run.unobserved_wall_ns <= 0) continue;
      costs.push_back(static_cast<double>(run.observed_wall_ns - run.unobserved_wall_ns) / calls);
    }
  }
  return costs.empty() ? 0 : std::max(0.0, median(costs));
}

/// A step without observer, as these processes ran it; absent where that was not measured.
std::optional<double> unobserved_step_ns(const std::vector<ProfileRun>& runs) {
  std::vector<double> steps;
  for (const ProfileRun& run : runs) {
    if (run.unobserved_wall_ns > 0)
      steps.push_back(static_cast<double>(run.unobserved_wall_ns) / static_cast<double>(run.observed->steps));
  }
  return steps.empty() ? std::nullopt : std::optional(median(steps));
}

/// The loader's operators, or all others: workers run beside the step, so that their time is not its own.
ObservedWork observed_part(const ObservedWork& work, bool of_loader) {
  ObservedWork part = work;
  std::erase_if(part.sites,
                [&](const OperatorSite& site) { return (site.boundary == name_of(Boundary::data_wait)) != of_loader; });
  return part;
}

ObservedBuilds builds_of(const DifferenceInput& input, bool of_loader) {
  if (input.base.empty() || input.base.size() != input.head.size()) {
    throw std::domain_error("step_difference: as many processes of the head as of the base, and at least one");
  }
  ObservedBuilds builds;
  for (const ProfileRun& run : input.base) builds.base.push_back(observed_part(run.observed.value(), of_loader));
  for (const ProfileRun& run : input.head) builds.head.push_back(observed_part(run.observed.value(), of_loader));
  return builds;
}

/// A row on its way to the list.
struct Candidate {
  DifferenceRow row;
  std::vector<double> logs = {};  ///< one per pair: ln(head / base); rows with the same work
};

/// Pulls in ratios that lie far from the median of their row. The scale of a row is its own, but at least that of most
/// rows: the scale of a few values may be small by chance.
void winsorise(std::vector<Candidate>& candidates) {
  std::vector<double> deviations;
  for (const Candidate& candidate : candidates) deviations.push_back(robust_standard_deviation(candidate.logs));
  if (deviations.empty()) return;
  const double typical = median(deviations);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const double reach = most_deviations * std::max(deviations[i], typical);
    const double centre = median(candidates[i].logs);
    for (double& value : candidates[i].logs) value = std::clamp(value, centre - reach, centre + reach);
  }
}

class Comparing {
 public:
  explicit Comparing(const DifferenceInput& input) : input_(input), rows_(matched_rows(builds_of(input, false))) {
    found_.pairs = std::ssize(input.base);
    found_.observer_ns_a_call = observer_ns_a_call(input);
    double self_ns = 0;
    for (const MatchedRow& row : rows_) self_ns += mean_work(row.base).self_ns;
    operators_ns_ = self_ns;
    found_.step_ns = unobserved_step_ns(input.base).value_or(self_ns);
  }

  StepDifference run() {
    const ProcessSpeeds speeds = process_speeds(rows_, least_ns());
    if (!rows_.empty()) divide_out(speeds, rows_);
    set_alike(speeds);
    std::vector<Candidate> same_work;
    double all_ns = found_.alike_ns;  // what the observed operators take more
    for (const MatchedRow& row : rows_) {
      const WorkChange change = work_change(row);
      Candidate candidate = candidate_of(row, change);
      all_ns += candidate.row.difference_ns;
      if (change != WorkChange::none) {
        found_.rows.push_back(std::move(candidate.row));
      } else if (std::max(candidate.row.base.self_ns, candidate.row.head.self_ns) >= least_ns()) {
        same_work.push_back(std::move(candidate));
      }
    }
    if (found_.pairs >= fewest_difference_pairs) test(same_work);
    order();
    attribute(all_ns);
    note_loader();
    return std::move(found_);
  }

 private:
  double least_ns() const { return least_difference_share * found_.step_ns; }

  void set_alike(const ProcessSpeeds& speeds) {
    found_.alike = common_factor(speeds, alike_level);
    const bool small = std::abs(found_.alike.ratio - 1) < least_difference_share;
    if (small || found_.pairs < fewest_difference_pairs) found_.alike.differs = false;
    if (found_.alike.differs) found_.alike_ns = (found_.alike.ratio - 1) * operators_ns_;
  }

  Candidate candidate_of(const MatchedRow& row, WorkChange change) const {
    Candidate candidate{.row = {.boundary = row.boundary,
                                .name = row.name,
                                .at = row.at,
                                .change = change,
                                .base = mean_work(row.base),
                                .head = mean_work(row.head)}};
    if (row.in_base && row.in_head) candidate.row.operands = operand_changes(*row.base_site, *row.head_site);
    if (change == WorkChange::none) {
      set_ratio(row, candidate);
    } else {
      set_difference(row, candidate.row);
    }
    return candidate;
  }

  /// For rows with the same work the ratio repeats, because noise grows with the time.
  static void set_ratio(const MatchedRow& row, Candidate& candidate) {
    std::vector<double> logs;
    for (std::size_t i = 0; i < row.base.size(); ++i) {
      if (row.base[i].self_ns > 0 && row.head[i].self_ns > 0) {
        logs.push_back(std::log(row.head[i].self_ns / row.base[i].self_ns));
      }
    }
    candidate.row.difference_ns = candidate.row.head.self_ns - candidate.row.base.self_ns;
    if (logs.size() == row.base.size()) candidate.logs = std::move(logs);
  }

  /// Takes off the observer's own cost of the further calls of one side: it is not time of the step.
  void set_difference(const MatchedRow& row, DifferenceRow& into) const {
    const double observing = (into.head.calls - into.base.calls) * found_.observer_ns_a_call;
    std::vector<double> differences;
    for (std::size_t i = 0; i < row.base.size(); ++i) {
      differences.push_back(row.head[i].self_ns - row.base[i].self_ns);
    }
    const double seen = mean(differences);
    into.difference_ns = without_observing(seen, observing);
    if (differences.size() < 2) return;
    const MeanInterval interval = mean_interval(differences, interval_level);
    into.lower_ns = into.difference_ns - (interval.mean - interval.lower);
    into.upper_ns = into.difference_ns + (interval.upper - interval.mean);
  }

  /// Does not go past 0: further calls cannot save time, and fewer calls cannot cost any.
  static double without_observing(double seen, double observing) {
    const double without = seen - observing;
    return seen * without < 0 ? 0 : without;
  }

  void test(std::vector<Candidate>& candidates) {
    std::erase_if(candidates,
                  [](const Candidate& each) { return each.logs.empty() || sample_variance(each.logs) == 0; });
    winsorise(candidates);
    std::vector<double> variances;
    for (const Candidate& candidate : candidates) variances.push_back(sample_variance(candidate.logs));
    const auto pairs = static_cast<double>(found_.pairs);
    const VariancePrior prior = variance_prior(variances, pairs - 1, most_prior_degrees);
    const double degrees = pairs - 1 + prior.degrees_of_freedom;
    const double reach = student_t_upper_quantile((1 - interval_level) / 2, degrees);
    std::vector<double> p_values;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const double centre = mean(candidates[i].logs);
      const double error = std::sqrt(moderated_variance(variances[i], pairs - 1, prior) / pairs);
      p_values.push_back(std::min(1.0, 2 * student_t_upper_tail(std::abs(centre) / error, degrees)));
      DifferenceRow& row = candidates[i].row;
      row.difference_ns = std::expm1(centre) * row.base.self_ns;
      row.lower_ns = std::expm1(centre - reach * error) * row.base.self_ns;
      row.upper_ns = std::expm1(centre + reach * error) * row.base.self_ns;
    }
    found_.tested = std::ssize(candidates);
    const std::vector<double> adjusted = holm_adjusted(p_values);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      candidates[i].row.p_value = adjusted[i];
      const bool large = std::abs(candidates[i].row.difference_ns) >= least_ns();
      if (adjusted[i] <= family_level && large) found_.rows.push_back(std::move(candidates[i].row));
    }
  }

  void note_loader() {
    const std::vector<MatchedRow> of_loader = matched_rows(builds_of(input_, true));
    const bool changed = std::any_of(of_loader.begin(), of_loader.end(),
                                     [](const MatchedRow& row) { return work_change(row) != WorkChange::none; });
    if (changed) {
      found_.notes.push_back(
          "the loader's operators changed and are not counted: its workers may run them beside the step");
    }
  }

  void order() {
    const auto changed = [](const DifferenceRow& row) { return row.change != WorkChange::none; };
    std::stable_sort(found_.rows.begin(), found_.rows.end(), [&](const DifferenceRow& a, const DifferenceRow& b) {
      if (changed(a) != changed(b)) return changed(a);
      return std::abs(a.difference_ns) > std::abs(b.difference_ns);
    });
  }

  /// Timed pairs may have found the machine at another speed: all times are scaled to theirs.
  void attribute(double all_ns) {
    double scale = 1;
    if (input_.timed) {
      scale = input_.timed->step_ns / found_.step_ns;
      found_.total_measured = true;
      found_.step_ns = input_.timed->step_ns;
    }
    found_.alike_ns *= scale;
    found_.explained_ns = found_.alike_ns;
    for (DifferenceRow& row : found_.rows) {
      row.base.self_ns *= scale;
      row.head.self_ns *= scale;
      row.difference_ns *= scale;
      if (row.lower_ns) *row.lower_ns *= scale;
      if (row.upper_ns) *row.upper_ns *= scale;
      found_.explained_ns += row.difference_ns;
    }
    found_.total_ns = input_.timed ? input_.timed->change_ns : all_ns;
    found_.rest_ns = found_.total_ns - found_.explained_ns;
    for (DifferenceRow& row : found_.rows) row.says = meaning_of(row);
    found_.says = attribution_text(found_);
  }

  const DifferenceInput& input_;
  std::vector<MatchedRow> rows_;
  double operators_ns_ = 0;
  StepDifference found_;
};

}  // namespace

StepDifference step_difference(const DifferenceInput& input) { return Comparing(input).run(); }

}  // namespace stepgate
