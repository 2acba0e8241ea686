// Handles of cuSOLVER and its kernels.
#pragma once

#include <cusolverDn.h>

#include "emulator/math/library_kernels.h"
#include "emulator/math/library_objects.h"
#include "emulator/math/math_handle.h"
#include "emulator/model/outcome.h"

namespace stepgate::emulator {

/// Settings of a routine: they change how it iterates, and there is nothing to iterate here.
struct SolverParameters {};

using CusolverObjects = LibraryObjects<cusolverStatus_t, CUSOLVER_STATUS_SUCCESS, CUSOLVER_STATUS_INVALID_VALUE>;

inline MathShelf<MathHandle>& cusolver_handles() { return CusolverObjects::shelf<MathHandle>(); }

/// One kernel in the stream of the handle. Negative sizes are an invalid value.
cusolverStatus_t submit_cusolver(cusolverDnHandle_t handle, const FactorCall& call, Effect effect);

}  // namespace stepgate::emulator
