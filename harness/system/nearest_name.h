// "Did you mean ...": the known name nearest to a misspelt one.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace stepgate {

/// The candidate with the smallest Levenshtein distance to `name` (the first of equals); absent where it differs in
/// more than a third of its letters and in more than two, since a far guess misleads.
std::optional<std::string_view> nearest_name(std::string_view name, const std::vector<std::string_view>& candidates);

}  // namespace stepgate
