// Reads single facts from what the observer saw of an operator.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/record/observed_work.h"

namespace stepgate {

/// Calls per observed step; 0 if no step was observed.
double calls_per_step(const ObservedWork& work, const OperatorSite& site);

/// Calls of that operator inside the boundary, per step, over all sites.
double calls_per_step(const ObservedWork& work, std::string_view boundary, std::string_view name);

/// Calls of the site's operator from its place, per step: where the observer sorts by shape, over all shapes.
double calls_at_place(const ObservedWork& work, const OperatorSite& site);

/// The nearest whole number.
std::int64_t whole(double calls);

/// Elements by its sizes; 1 for a scalar.
std::int64_t element_count(const ObservedTensor& tensor);

/// Elements that lie in memory: broadcast dimensions (stride 0) count once.
std::int64_t stored_elements(const ObservedTensor& tensor);

/// 0 for a dtype that is not known.
std::int64_t bytes_of_dtype(std::string_view dtype);
bool is_floating(std::string_view dtype);

/// Dense, but not in row-major order: a permutation of a contiguous tensor.
bool is_permuted(const ObservedTensor& tensor);

/// "8 x 64 x 97 float32", "a scalar float32".
std::string tensor_text(const ObservedTensor& tensor);

/// The first argument that is True or False.
std::optional<bool> first_flag(const OperatorSite& site);

/// Views, conversions, copies and allocations: operators that compute nothing.
bool moves_only(std::string_view name);

/// A site of the step's own code before backward: the gradient of an operator is not a pattern of its own.
bool is_own_code(const OperatorSite& site);

}  // namespace stepgate
