// Two sequences with the same order, laid beside each other.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace stepgate {

struct AlignedPlaces {
  std::size_t first;
  std::size_t second;
};

/// Score of the place `first` of one sequence beside the place `second` of the other; 0: they do not belong together.
using PlaceScore = std::function<int(std::size_t first, std::size_t second)>;

/// The pairs of places, in order and without crossing, whose scores have the largest sum (Needleman and Wunsch, Journal
/// of Molecular Biology 48 (1970), without cost for gaps). Among equal sums, the one with the earliest places.
std::vector<AlignedPlaces> best_alignment(std::size_t first_count, std::size_t second_count, const PlaceScore& score);

}  // namespace stepgate
