// Handles of cuBLAS and its error numbers.
#pragma once

#include <cublas_v2.h>

#include "emulator/math/library_kernels.h"
#include "emulator/math/library_objects.h"
#include "emulator/math/math_handle.h"
#include "emulator/model/outcome.h"

namespace stepgate::emulator {

/// Of cuBLAS and cuBLASLt, which have one type of numbers.
using CublasObjects = LibraryObjects<cublasStatus_t, CUBLAS_STATUS_SUCCESS, CUBLAS_STATUS_INVALID_VALUE>;

inline MathShelf<MathHandle>& cublas_handles() { return CublasObjects::shelf<MathHandle>(); }
cublasStatus_t cublas_status_of(Outcome outcome);

/// One kernel in the stream of the handle.
cublasStatus_t submit_cublas(cublasHandle_t handle, const MathProduct& product, Effect effect = {});

}  // namespace stepgate::emulator
