// The versions of cuBLAS, cuBLASLt and NCCL that this process has loaded. Each chooses its kernels by its own version,
// and can be updated without LibTorch.
#pragma once

#include <functional>

#include "core/record/fingerprint.h"

namespace stepgate {

/// The address of a function of this process by its name; nullptr where no loaded library has it.
using FunctionFinder = std::function<void*(const char* name)>;

/// cublas, cublaslt and nccl, as "13.1.0". A library that is not loaded, or does not tell its version, is missing.
Fingerprint library_versions(const FunctionFinder& find);

/// The versions in this process. Nothing is linked or loaded for it.
Fingerprint loaded_library_versions();

}  // namespace stepgate
