// The boundaries of a step: which it has, their order, and the names that a loop gives to its own.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/boundary.h"

namespace stepgate {

/// The own boundary of a step that is one call, in place of forward, backward and optimizer.
inline constexpr const char* whole_step_name = "whole_step";
/// The own boundaries of a request: it computes the answer, and makes it ready to be sent.
inline constexpr const char* infer_name = "infer";
inline constexpr const char* post_name = "post";

class StepBoundaries {
 public:
  /// The boundaries of the table that are in every step.
  StepBoundaries();
  /// The boundaries with these names, in this order. Throws Error(usage) for a name that is twice in the list or cannot
  /// be one, and for more own boundaries than fit.
  explicit StepBoundaries(const std::vector<std::string>& names);

  const std::vector<Boundary>& order() const { return order_; }
  /// The names that the loop gave itself: number i belongs to own_boundary(i).
  const std::vector<std::string>& own() const { return own_; }
  /// The names of all boundaries, in order.
  std::vector<std::string> names() const;

  std::string_view name(Boundary boundary) const;
  /// The metric of its time: "forward_ns", "boundary_ns[discriminator]".
  std::string metric(Boundary boundary) const;
  /// What ends it: "marks.forward_done()", "marks.boundary("discriminator")".
  std::string mark(Boundary boundary) const;
  /// nullopt where the step has no boundary of that name. Allocates nothing.
  std::optional<Boundary> find(std::string_view name) const;
  /// Its place in order(); order().size() where it is not there.
  std::size_t place_of(Boundary boundary) const;

  /// Adds an own boundary at that place of order(). Throws as the constructor does.
  Boundary insert(std::size_t place, std::string_view name);

  bool operator==(const StepBoundaries&) const = default;

 private:
  std::vector<Boundary> order_;
  std::vector<std::string> own_;
};

}  // namespace stepgate
