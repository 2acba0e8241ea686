// Handles of cuSOLVER and its kernels.
#pragma once

#include <cusolverDn.h>

#include <cstdint>

#include "emulator/math/library_kernels.h"
#include "emulator/math/library_objects.h"
#include "emulator/math/math_handle.h"
#include "emulator/model/outcome.h"

namespace stepgate::emulator {

/// Settings of a routine: they change how it iterates, and there is nothing to iterate here.
struct SolverParameters {};

using CusolverObjects = LibraryObjects<cusolverStatus_t, CUSOLVER_STATUS_SUCCESS, CUSOLVER_STATUS_INVALID_VALUE>;

inline MathShelf<MathHandle>& cusolver_handles() { return CusolverObjects::shelf<MathHandle>(); }

/// Answers how large a workspace is, whose length the library writes as an int: a wrong argument where it is negative
/// or has no room.
cusolverStatus_t answer_elements(cusolverDnHandle_t handle, std::int64_t elements, int* answer);

/// One kernel in the stream of the handle. Negative sizes are an invalid value.
cusolverStatus_t submit_cusolver(cusolverDnHandle_t handle, const FactorCall& call, Effect effect);

}  // namespace stepgate::emulator
