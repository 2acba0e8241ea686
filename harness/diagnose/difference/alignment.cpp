#include "diagnose/difference/alignment.h"

#include <algorithm>

namespace stepgate {

std::vector<AlignedPlaces> best_alignment(std::size_t first_count, std::size_t second_count, const PlaceScore& score) {
  // best[i][j]: the largest sum from place i of the first and place j of the second sequence on.
  std::vector<std::vector<int>> best(first_count + 1, std::vector<int>(second_count + 1, 0));
  for (std::size_t i = first_count; i-- > 0;) {
    for (std::size_t j = second_count; j-- > 0;) {
      const int here = score(i, j);
      const int together = here > 0 ? here + best[i + 1][j + 1] : 0;
      best[i][j] = std::max({together, best[i + 1][j], best[i][j + 1]});
    }
  }
  std::vector<AlignedPlaces> pairs;
  for (std::size_t i = 0, j = 0; i < first_count && j < second_count;) {
    const int here = score(i, j);
    if (here > 0 && best[i][j] == here + best[i + 1][j + 1]) {
      pairs.push_back({i++, j++});
    } else if (best[i][j] == best[i][j + 1]) {
      ++j;
    } else {
      ++i;
    }
  }
  return pairs;
}

}  // namespace stepgate
