#include "diagnose/causes/pattern_fits.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "core/boundary.h"
#include "core/record/loss_sequences.h"
#include "core/verdict/losses/numeric_tolerance.h"
#include "core/verdict/losses/rounded_traces.h"
#include "diagnose/both_sides.h"
#include "diagnose/boundary_shares.h"
#include "diagnose/causes/new_sites.h"
#include "diagnose/patterns/find_patterns.h"
#include "diagnose/patterns/site_reading.h"
#include "diagnose/patterns/step_amounts.h"
#include "diagnose/work/model_size.h"
#include "diagnose/work/operator_difference.h"

namespace stepgate {
namespace {

double total_calls(const std::vector<PatternMatch>& matches) {
  double calls = 0;
  for (const PatternMatch& match : matches) calls += match.calls_per_step;
  return calls;
}

bool is_about(double a, double b) { return std::abs(a - b) < 1e-6; }

using Operators = std::map<std::string, std::map<std::string, std::int64_t>>;

/// All operators of a boundary, per step.
double operators_in(const std::string& boundary, const Operators& operators, std::size_t steps) {
  const auto at = operators.find(boundary);
  if (at == operators.end() || steps == 0) return 0;
  double calls = 0;
  for (const auto& [name, count] : at->second) calls += static_cast<double>(count);
  return calls / static_cast<double>(steps);
}

/// An optimizer that lost its state makes another second update, which the third loss shows.
constexpr std::size_t losses_of_two_updates = 3;

/// A rounded baseline is equal where no value stands out from rounding.
bool same_losses(const JudgedComparison& input, const NumericTrace& before, const NumericTrace& now) {
  if (!before.rounded) return same_sequences(before, now);
  return agree_on_a_gpu(before, now, {input.policy, dtype_of(input.current.exact_fingerprint)});
}

/// Whether both sides have the same losses and gradient norms beyond the second update.
bool has_equal_losses(const JudgedComparison& input) {
  const Baseline* baseline = work_baseline(input);
  if (baseline == nullptr || !baseline->numerics || input.current.numerics.empty()) return false;
  return baseline->numerics->loss.size() >= losses_of_two_updates &&
         same_losses(input, *baseline->numerics, input.current.numerics.front());
}

/// Whether the optimizer calls an operator less often: the one that updated many tensors. Without it the calls that are
/// new came beside the updates, or the same updates come more often.
bool lost_an_update(const JudgedComparison& input) {
  const auto changes = operator_difference(input);
  return std::any_of(changes.begin(), changes.end(), [](const OperatorChange& change) {
    return change.boundary == name_of(Boundary::optimizer) && change.difference() < 0;
  });
}

/// An update that adds a float32 gradient to float64 state touches 20 bytes an element in place of 12; operators whose
/// result stays float32 touch 24 in place of 16.
constexpr double least_share_of_wider = 0.3;

/// Whether the boundary calls what it called before, and touches as many bytes more as its float64 tensors take.
bool touches_wider_tensors(const PatternChange& change, const std::string& boundary) {
  constexpr const char* metric = "bytes_touched_per_step";
  const auto changes = operator_difference(change.input);
  const bool same_calls = std::none_of(changes.begin(), changes.end(), [&](const OperatorChange& other) {
    return other.boundary == boundary && other.difference() > 0;
  });
  double wide = 0;
  for (const OperatorSite& site : change.work.sites) {
    const bool has_float64 = std::any_of(site.inputs.begin(), site.inputs.end(), [](const ObservedTensor& tensor) {
      return tensor.dtype == "float64" && element_count(tensor) > 1;
    });
    if (site.boundary == boundary && has_float64)
      wide += static_cast<double>(site.bytes) / static_cast<double>(change.work.steps);
  }
  const bool known = work_baseline(change.input)->counts_by_boundary.contains(metric);
  return same_calls && known && wide > 0 &&
         share_of(changed_shares(change.input, metric), boundary) >= least_share_of_wider * wide;
}

}  // namespace

std::vector<PatternMatch> with_new_calls(const PatternChange& change) {
  return new_matches(change.input, change.work, change.matches);
}

std::vector<PatternMatch> with_new_calls_or_wider(const PatternChange& change) {
  auto found = with_new_calls(change);
  if (!found.empty()) return found;
  std::copy_if(change.matches.begin(), change.matches.end(), std::back_inserter(found), [&](const PatternMatch& match) {
    return touches_wider_tensors(change, change.work.sites[match.site].boundary);
  });
  return found;
}

std::vector<PatternMatch> outside_item_loops(const PatternChange& change) {
  const auto loops = new_matches(change.input, change.work, find_item_loops(change.work));
  auto found = with_new_calls(change);
  std::erase_if(found, [&](const PatternMatch& match) {
    return std::any_of(loops.begin(), loops.end(), [&](const PatternMatch& loop) {
      return change.work.sites[loop.site].boundary == change.work.sites[match.site].boundary;
    });
  });
  return found;
}

std::vector<PatternMatch> with_new_parameters(const PatternChange& change) {
  const auto tensors = more_parameter_tensors(change.input);
  const bool fits = tensors && is_about(static_cast<double>(*tensors), total_calls(change.matches));
  return fits ? change.matches : std::vector<PatternMatch>{};
}

std::vector<PatternMatch> with_new_state(const PatternChange& change) {
  if (has_equal_losses(change.input)) return {};
  const auto changes = operator_difference(change.input);
  std::vector<PatternMatch> found;
  for (const PatternMatch& match : change.matches) {
    const OperatorSite& site = change.work.sites[match.site];
    if (is_about(calls_more(changes, site.boundary, site.name), match.calls_per_step)) found.push_back(match);
  }
  return found;
}

std::vector<PatternMatch> with_split_updates(const PatternChange& change) {
  const JudgedComparison& input = change.input;
  const Baseline& baseline = *work_baseline(input);
  const double most = most_updates_per_tensor * step_amounts(change.work).parameter_tensors;
  const double before = operators_in("optimizer", baseline.operators, counted_steps(baseline.exact));
  const double now =
      operators_in("optimizer", input.current.counts.operators, counted_steps(input.current.counts.per_step));
  // State that is made anew is a cause of its own.
  const bool rebuilt = !with_new_state({input, change.work, find_rebuilt_optimizer(change.work)}).empty();
  const bool split = before > 0 && before <= most && now > most && lost_an_update(input) && !rebuilt;
  return split ? change.matches : std::vector<PatternMatch>{};
}

std::vector<PatternMatch> with_lost_training(const PatternChange& change) {
  struct Companion {
    std::string_view site;
    std::string_view of_training;
  };
  constexpr std::array companions = {Companion{"aten::dropout", "aten::bernoulli_"},
                                     Companion{"aten::dropout", "aten::native_dropout"},
                                     Companion{"aten::batch_norm", "aten::add_"}};
  const auto changes = operator_difference(change.input);
  std::vector<PatternMatch> found;
  for (const PatternMatch& match : change.matches) {
    const OperatorSite& site = change.work.sites[match.site];
    const bool lost = std::any_of(companions.begin(), companions.end(), [&](const Companion& companion) {
      return companion.site == site.name &&
             -calls_more(changes, site.boundary, companion.of_training) >= match.calls_per_step - 1e-6;
    });
    if (lost) found.push_back(match);
  }
  return found;
}

}  // namespace stepgate
