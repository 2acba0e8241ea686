// Handles of cuBLAS and its error numbers.
#pragma once

#include <cublas_v2.h>

#include "emulator/math/library_kernels.h"
#include "emulator/math/math_handle.h"
#include "emulator/model/outcome.h"

namespace stepgate::emulator {

MathShelf<MathHandle>& cublas_handles();
cublasStatus_t cublas_status_of(Outcome outcome);

/// One kernel in the stream of the handle.
cublasStatus_t submit_cublas(cublasHandle_t handle, const MathProduct& product, Effect effect = {});

}  // namespace stepgate::emulator
