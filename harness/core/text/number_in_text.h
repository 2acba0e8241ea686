// Reads a text that is one number, such as a parameter's value.
#pragma once

#include <optional>
#include <string>

namespace stepgate {

/// The finite number that the whole text gives; absent for any other text.
std::optional<double> number_in_text(const std::string& text);

}  // namespace stepgate
