#include "core/text/operator_change.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "core/boundary.h"
#include "core/metric.h"

namespace stepgate {
namespace {

using CallsByName = std::map<std::string, std::int64_t>;

double calls_per_step(const CallsByName& calls, const std::string& name, std::size_t steps) {
  const auto at = calls.find(name);
  return at == calls.end() ? 0 : static_cast<double>(at->second) / static_cast<double>(steps);
}

const CallsByName& calls_of(const OperatorCalls& calls, const std::string& boundary) {
  static const CallsByName none;
  const auto at = calls.by_boundary.find(boundary);
  return at == calls.by_boundary.end() ? none : at->second;
}

std::size_t place_in_step(const std::string& boundary) {
  const auto known = boundary_named(boundary);
  return known ? static_cast<std::size_t>(*known) : boundary_count;
}

std::set<std::string> names_of_both(const CallsByName& before, const CallsByName& after) {
  std::set<std::string> names;
  for (const auto& [name, calls] : before) names.insert(name);
  for (const auto& [name, calls] : after) names.insert(name);
  return names;
}

}  // namespace

std::vector<OperatorChange> operator_changes(const OperatorCalls& before, const OperatorCalls& after) {
  std::vector<OperatorChange> changes;
  if (before.steps == 0 || after.steps == 0) return changes;
  std::set<std::string> boundaries;
  for (const auto& [boundary, calls] : before.by_boundary) boundaries.insert(boundary);
  for (const auto& [boundary, calls] : after.by_boundary) boundaries.insert(boundary);
  for (const std::string& boundary : boundaries) {
    const CallsByName& old_calls = calls_of(before, boundary);
    const CallsByName& new_calls = calls_of(after, boundary);
    for (const std::string& name : names_of_both(old_calls, new_calls)) {
      const OperatorChange change{boundary, name, calls_per_step(old_calls, name, before.steps),
                                  calls_per_step(new_calls, name, after.steps)};
      if (change.difference() != 0) changes.push_back(change);
    }
  }
  std::stable_sort(changes.begin(), changes.end(), [](const OperatorChange& a, const OperatorChange& b) {
    if (a.boundary != b.boundary) {  // those that a loop names itself after the others, by name
      return std::pair(place_in_step(a.boundary), a.boundary) < std::pair(place_in_step(b.boundary), b.boundary);
    }
    return std::abs(a.difference()) > std::abs(b.difference());
  });
  return changes;
}

std::size_t counted_steps(const std::map<std::string, std::vector<std::int64_t>>& per_step) {
  std::size_t steps = 0;
  for (const auto& [name, values] : per_step) {
    const Metric* metric = find_metric(name);
    const bool of_memory_pass = metric != nullptr && !metric->series.empty();
    if (!of_memory_pass) steps = std::max(steps, values.size());
  }
  return steps;
}

bool is_view(std::string_view name) {
  // clang-format off
  constexpr std::array<std::string_view, 53> views = {
      "adjoint", "alias", "as_strided", "as_strided_", "broadcast_to", "chunk", "_conj", "diagonal", "dsplit",
      "expand", "expand_as", "flatten", "hsplit", "imag", "lift_fresh", "matrix_H", "mH", "movedim", "moveaxis", "mT",
      "narrow", "_neg_view", "numpy_T", "permute", "real", "reshape", "_reshape_alias", "reshape_as", "resolve_conj",
      "resolve_neg", "select", "slice", "split", "squeeze", "split_with_sizes", "squeeze_", "swapaxes", "swapdims",
      "t", "t_", "tensor_split", "transpose", "transpose_", "unbind", "unflatten", "unfold", "unsqueeze",
      "unsqueeze_", "view", "view_as", "view_as_complex", "view_as_real", "_unsafe_view"};
  // clang-format on
  constexpr std::string_view space = "aten::";
  if (!name.starts_with(space)) return false;
  name.remove_prefix(space.size());
  return std::find(views.begin(), views.end(), name) != views.end();
}

bool is_plumbing(std::string_view name) {
  constexpr std::array<std::string_view, 9> plumbing = {"aten::empty",      "aten::empty_like", "aten::empty_strided",
                                                        "aten::as_strided", "aten::_to_copy",   "aten::to",
                                                        "aten::copy_",      "aten::resize_",    "aten::fill_"};
  return std::find(plumbing.begin(), plumbing.end(), name) != plumbing.end();
}

}  // namespace stepgate
