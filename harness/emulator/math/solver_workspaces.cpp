#include "emulator/math/solver_workspaces.h"

#include <algorithm>

namespace stepgate::emulator {

std::int64_t workspace_elements(SolverRoutine routine, const SolverSizes& sizes) {
  constexpr std::int64_t least = 1;
  if (sizes.m < 0 || sizes.n < 0) return -1;
  switch (routine) {
    case SolverRoutine::potrf:
    case SolverRoutine::getrf:
      return 0;  // LAPACK works in the matrix
    case SolverRoutine::geqrf:
    case SolverRoutine::orgqr:
      return std::max(least, sizes.n);
    case SolverRoutine::ormqr:
      return std::max(least, sizes.from_left ? sizes.n : sizes.m);
    case SolverRoutine::gesvj:
      return std::max<std::int64_t>(6, sizes.m + sizes.n);
  }
  return least;
}

std::int64_t workspace_of_batch(std::int64_t one, std::int64_t batch) {
  return one < 0 || batch < 0 ? -1 : one * batch;
}

std::int64_t eigen_workspace_bytes(std::int64_t n, bool with_vectors, MathType type) {
  if (n < 0) return -1;
  const std::int64_t element = row_of(type).bits / 8;
  if (!row_of(type).is_complex) {  // dsyevd
    return element * (with_vectors ? 1 + 6 * n + 2 * n * n : 2 * n + 1);
  }
  // zheevd: one part of complex and one of real elements.
  const std::int64_t complex_part = with_vectors ? 2 * n + n * n : n + 1;
  const std::int64_t real_part = with_vectors ? 1 + 5 * n + 2 * n * n : n;
  return element * complex_part + element / 2 * real_part;
}

}  // namespace stepgate::emulator
