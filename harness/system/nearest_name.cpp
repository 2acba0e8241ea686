#include "system/nearest_name.h"

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace stepgate {
namespace {

/// A mistyped name is shorter. The comparison takes time with the product of both lengths.
constexpr std::size_t most_letters = 1000;

// Levenshtein distance by rows: row[j] is the distance between the first i letters of `a` and the first j of `b`.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::optional<std::string_view> nearest_name(std::string_view name, const std::vector<std::string_view>& candidates) {
  std::optional<std::string_view> nearest;
  std::size_t smallest = std::max<std::size_t>(2, name.size() / 3) + 1;
  for (std::string_view candidate : candidates) {
    // The distance is at least the difference of the lengths. A text of a megabyte is compared with nothing.
    const std::size_t longer = std::max(name.size(), candidate.size());
    if (longer - std::min(name.size(), candidate.size()) >= smallest || longer > most_letters) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < smallest) {
      smallest = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

}  // namespace stepgate
