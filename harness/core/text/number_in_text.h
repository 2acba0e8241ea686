// A number that stands for itself in a text: a parameter's value.
#pragma once

#include <optional>
#include <string>

namespace stepgate {

/// The whole text as a finite number; absent for anything else.
std::optional<double> number_in_text(const std::string& text);

}  // namespace stepgate
