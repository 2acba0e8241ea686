// Workspaces of cuSOLVER. Its documentation gives no figures: a program asks for them. The emulated ones are the least
// that the interface of LAPACK documents for the same routine, so bytes of linear algebra are not those of a real GPU.
#pragma once

#include <cstdint>

#include "emulator/math/math_products.h"

namespace stepgate::emulator {

enum class SolverRoutine { potrf, getrf, geqrf, orgqr, ormqr, gesvj };

struct SolverSizes {
  std::int64_t m = 0;
  std::int64_t n = 0;
  bool from_left = true;  ///< ormqr: the orthogonal matrix is the left one
};

/// Elements of the matrix's type. All three: -1 for a negative size, which is a wrong argument of the routine.
std::int64_t workspace_elements(SolverRoutine routine, const SolverSizes& sizes);
/// `one`: of one matrix.
std::int64_t workspace_of_batch(std::int64_t one, std::int64_t batch);
/// Of the eigenvalues of a symmetric or Hermitian n x n matrix, with or without its vectors.
std::int64_t eigen_workspace_bytes(std::int64_t n, bool with_vectors, MathType type);

}  // namespace stepgate::emulator
