// Work of an optimizer that it need not do in each step.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "core/boundary.h"
#include "core/text/number_format.h"
#include "diagnose/patterns/find_patterns.h"
#include "diagnose/patterns/site_reading.h"
#include "diagnose/patterns/step_amounts.h"

namespace stepgate {
namespace {

/// AMSGrad has three tensors of state per parameter, Adam two.
constexpr double most_states = 3;

/// Calls that make state: one, two or three per parameter tensor.
bool makes_state(double calls, double tensors) {
  const double each = calls / tensors;
  return each >= 1 && each <= most_states && each == std::round(each);
}

std::string origin_of_input(const OperatorSite& site) { return site.inputs.empty() ? "" : site.inputs[0].from; }

/// Whether detach() at the place of this site takes results of operators, as SGD's of the gradient with its weight
/// decay, or gradients, and no parameter.
bool detaches_gradients(const ObservedWork& work, const OperatorSite& at) {
  if (!at.place) return false;
  bool found = false;
  for (const OperatorSite& site : work.sites) {
    if (site.name != "aten::detach" || site.place != at.place || site.boundary != at.boundary) continue;
    const std::string from = origin_of_input(site);
    if (from == "parameter") return false;
    found = found || from == "gradient" || from.starts_with("aten::");
  }
  return found;
}

/// SGD's first momentum is a copy of the gradient, whose origin the observer may not know (Tensor::data()). A copy of a
/// parameter or of its detach() is a snapshot of the weights.
bool may_make_state(const ObservedWork& work, const OperatorSite& site) {
  if (site.boundary != name_of(Boundary::optimizer)) return false;
  if (site.name != "aten::clone") return true;
  const std::string from = origin_of_input(site);
  return from != "parameter" && (from != "aten::detach" || detaches_gradients(work, site));
}

struct CostliestSite {
  std::size_t site = 0;
  double operators = 0;  ///< operators of the whole boundary, per step
  std::int64_t calls = 0;
};

CostliestSite operators_of_optimizer(const ObservedWork& work) {
  CostliestSite found;
  for (std::size_t i = 0; i < work.sites.size(); ++i) {
    const OperatorSite& site = work.sites[i];
    if (site.boundary != name_of(Boundary::optimizer)) continue;
    found.operators += calls_per_step(work, site);
    if (site.calls <= found.calls) continue;
    found.calls = site.calls;
    found.site = i;
  }
  return found;
}

}  // namespace

std::vector<PatternMatch> find_rebuilt_optimizer(const ObservedWork& work) {
  const double tensors = step_amounts(work).parameter_tensors;
  if (tensors == 0) return {};
  // Adam and RMSprop make their state with zeros_like(), Adagrad with full_like(); SGD clones the first gradient.
  for (const std::string_view name : {"aten::zeros_like", "aten::full_like", "aten::clone"}) {
    double calls = 0;
    std::optional<std::size_t> first;
    for (std::size_t i = 0; i < work.sites.size(); ++i) {
      if (work.sites[i].name != name || !may_make_state(work, work.sites[i])) continue;
      calls += calls_per_step(work, work.sites[i]);
      if (!first) first = i;
    }
    if (!first || !makes_state(calls, tensors)) continue;
    return {
        {*first, calls,
         fmt::format("{} makes the optimizer's state anew for {}", name, counted(whole(tensors), "parameter tensor"))}};
  }
  return {};
}

std::vector<PatternMatch> find_single_tensor_optimizer(const ObservedWork& work) {
  const double tensors = step_amounts(work).parameter_tensors;
  const CostliestSite found = operators_of_optimizer(work);
  if (tensors < 2 || found.operators <= most_updates_per_tensor * tensors) return {};
  return {{found.site, found.operators,
           fmt::format("{} operators update {}, {:.1f} each", count_text(found.operators),
                       counted(whole(tensors), "parameter tensor"), found.operators / tensors)}};
}

std::vector<PatternMatch> find_zeroed_gradients(const ObservedWork& work) {
  std::vector<PatternMatch> matches;
  for (std::size_t i = 0; i < work.sites.size(); ++i) {
    const OperatorSite& site = work.sites[i];
    const bool zeroes =
        site.name == "aten::zero_" && site.parent.empty() && site.boundary != name_of(Boundary::backward);
    if (!zeroes || site.inputs.empty() || site.inputs[0].from != "gradient") continue;
    matches.push_back(
        {i, calls_per_step(work, site),
         fmt::format("aten::zero_ fills {} in place", counted(whole(calls_per_step(work, site)), "gradient"))});
  }
  return matches;
}

}  // namespace stepgate
