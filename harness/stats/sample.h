// The check that every function of stats/ makes of its sample.
#pragma once

#include <span>
#include <stdexcept>
#include <string_view>

namespace stepgate {

/// Throws std::domain_error naming `function` where `values` is empty or holds a value that is not finite.
void require_sample(std::span<const double> values, std::string_view function);

}  // namespace stepgate
