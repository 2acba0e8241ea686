#include "stats/trend/optimal_segments.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "stats/sample.h"

namespace stepgate {
namespace {

/// Cost of all points so far where the last segment began at `begin` and its level is mu in [lower, upper]:
/// count * (mu - mean)^2 + least. This form, unlike sums of squares, loses no digits far from 0.
struct CostPiece {
  double lower;
  double upper;
  double count;
  double mean;
  double least;
  std::size_t begin;
};

void add_point(CostPiece& piece, double value) {
  const double distance = value - piece.mean;
  piece.least += piece.count / (piece.count + 1) * distance * distance;
  piece.count += 1;
  piece.mean += distance / piece.count;
}

/// The cost of a segment that begins with the next point, over an interval of levels.
struct NewSegment {
  double cost;
  std::size_t begin;
};

void append_new(std::vector<CostPiece>& pieces, const NewSegment& segment, double lower, double upper) {
  if (!(lower < upper)) return;
  if (!pieces.empty() && pieces.back().begin == segment.begin) {
    pieces.back().upper = upper;
    return;
  }
  pieces.push_back({lower, upper, 0, 0, segment.cost, segment.begin});
}

/// The lower envelope of `pieces` and the constant cost of a new segment. A piece is below the constant within `reach`
/// of its mean.
void take_lower(const std::vector<CostPiece>& pieces, const NewSegment& segment, std::vector<CostPiece>& envelope) {
  envelope.clear();
  for (const CostPiece& piece : pieces) {
    const double reach = std::sqrt(std::max(0.0, segment.cost - piece.least) / piece.count);
    const double lower = std::clamp(piece.mean - reach, piece.lower, piece.upper);
    const double upper = std::clamp(piece.mean + reach, piece.lower, piece.upper);
    append_new(envelope, segment, piece.lower, lower);
    if (lower < upper) {
      envelope.push_back(piece);
      envelope.back().lower = lower;
      envelope.back().upper = upper;
    }
    append_new(envelope, segment, upper, piece.upper);
  }
}

/// Adds the point to all pieces; returns the one with the least cost. If a piece's mean lies outside of its levels,
/// another piece is lower there, so the least values of whole parabolas can be compared.
const CostPiece& add_to_all(std::vector<CostPiece>& pieces, double value, double& least_cost) {
  const CostPiece* best = nullptr;
  for (CostPiece& piece : pieces) {
    add_point(piece, value);
    if (best != nullptr && !(piece.least < least_cost)) continue;
    least_cost = piece.least;
    best = &piece;
  }
  return *best;
}

}  // namespace

double change_penalty(double noise, std::size_t points) {
  return 3 * noise * noise * std::log(static_cast<double>(points));
}

std::vector<std::size_t> last_level_begins(std::span<const double> values, double penalty) {
  require_sample(values, "optimal_changes");
  if (!(penalty > 0)) throw std::domain_error("optimal_changes: the penalty must be above 0");
  const auto [lowest, highest] = std::minmax_element(values.begin(), values.end());
  if (*lowest == *highest) return std::vector<std::size_t>(values.size(), 0);
  std::vector<CostPiece> pieces{{*lowest, *highest, 0, 0, 0, 0}};
  std::vector<CostPiece> envelope;
  std::vector<std::size_t> last_begin(values.size());  // in the best fit of the points up to each one
  double least_cost = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i > 0) {
      take_lower(pieces, {least_cost + penalty, i}, envelope);
      pieces.swap(envelope);
    }
    last_begin[i] = add_to_all(pieces, values[i], least_cost).begin;
  }
  return last_begin;
}

std::vector<std::size_t> changes_of_fit(std::span<const std::size_t> last_begins, std::size_t count, std::size_t from) {
  std::vector<std::size_t> changes;
  for (std::size_t begin = last_begins[count - 1]; begin > from; begin = last_begins[begin - 1])
    changes.push_back(begin);
  std::reverse(changes.begin(), changes.end());
  return changes;
}

std::vector<std::size_t> optimal_changes(std::span<const double> values, double penalty) {
  const std::vector<std::size_t> last_begins = last_level_begins(values, penalty);
  return changes_of_fit(last_begins, values.size());
}

}  // namespace stepgate
