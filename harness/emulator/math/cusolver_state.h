// Handles of cuSOLVER and its kernels.
#pragma once

#include <cusolverDn.h>

#include <string_view>

#include "emulator/math/library_kernels.h"
#include "emulator/math/math_handle.h"
#include "emulator/model/outcome.h"

namespace stepgate::emulator {

/// Settings of a routine: they change how it iterates, and there is nothing to iterate here.
struct SolverParameters {};

MathShelf<MathHandle>& cusolver_handles();
MathShelf<SolverParameters>& cusolver_parameters();

struct SolverCall {
  std::string_view operation;  ///< "Spotrf"
  std::int64_t m = 1;
  std::int64_t n = 1;
  std::int64_t k = 1;
  std::int64_t batch = 1;
  MathType type = MathType::f32;
};

/// One kernel in the stream of the handle. Negative sizes are an invalid value.
cusolverStatus_t submit_cusolver(cusolverDnHandle_t handle, const SolverCall& call, Effect effect);

}  // namespace stepgate::emulator
