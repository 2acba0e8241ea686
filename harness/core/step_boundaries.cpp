#include "core/step_boundaries.h"

#include <algorithm>

#include "core/error.h"
#include "core/metric.h"

namespace stepgate {
namespace {

constexpr const char* name_it_well =
    "name a boundary of your own with lower case letters, digits and underscores, at most 32 of them";

[[noreturn]] void refuse_name(std::string_view name, std::string_view why) {
  throw Error(ErrorKind::usage, "boundary \"" + std::string(name) + "\": " + std::string(why), name_it_well);
}

}  // namespace

StepBoundaries::StepBoundaries() {
  for (const BoundaryRow& row : boundary_table) {
    if (row.in_every_step) order_.push_back(row.boundary);
  }
}

StepBoundaries::StepBoundaries(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const auto of_table = boundary_named(name);
    if (!of_table) {
      insert(order_.size(), name);
    } else if (find(name)) {
      refuse_name(name, "it is in the step already");
    } else {
      order_.push_back(*of_table);
    }
  }
}

std::vector<std::string> StepBoundaries::names() const {
  std::vector<std::string> names;
  for (const Boundary boundary : order_) names.emplace_back(name(boundary));
  return names;
}

std::string_view StepBoundaries::name(Boundary boundary) const {
  return is_own(boundary) ? own_.at(static_cast<std::size_t>(boundary) - boundary_count) : name_of(boundary);
}

std::string StepBoundaries::metric(Boundary boundary) const {
  return is_own(boundary) ? member_of(own_boundary_family, name(boundary)) : std::string(row_of(boundary).metric);
}

std::string StepBoundaries::mark(Boundary boundary) const {
  return is_own(boundary) ? "marks.boundary(\"" + std::string(name(boundary)) + "\")"
                          : "marks." + std::string(row_of(boundary).mark) + "()";
}

std::optional<Boundary> StepBoundaries::find(std::string_view name) const {
  const auto at =
      std::find_if(order_.begin(), order_.end(), [&](Boundary boundary) { return this->name(boundary) == name; });
  return at == order_.end() ? std::nullopt : std::optional(*at);
}

std::size_t StepBoundaries::place_of(Boundary boundary) const {
  return static_cast<std::size_t>(std::find(order_.begin(), order_.end(), boundary) - order_.begin());
}

Boundary StepBoundaries::insert(std::size_t place, std::string_view name) {
  if (const std::string_view why = refused_boundary_name(name); !why.empty()) refuse_name(name, why);
  if (find(name)) refuse_name(name, "it is in the step already");
  if (own_.size() == max_own_boundaries) {
    refuse_name(name, "a step has at most " + std::to_string(max_own_boundaries) + " boundaries of the loop's own");
  }
  own_.emplace_back(name);
  const Boundary added = own_boundary(own_.size() - 1);
  order_.insert(order_.begin() + static_cast<std::ptrdiff_t>(place), added);
  return added;
}

}  // namespace stepgate
