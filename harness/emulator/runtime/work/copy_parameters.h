// The parameters of calls that somebody reads in a callback.
#pragma once

// The vendor's header of the structures uses types that these declare.
#include <cuda_runtime_api.h>
#include <generated_cuda_runtime_api_meta.h>

#include <cstddef>

namespace stepgate::emulator {

/// stepgate's counter reads the direction of a copy, and nothing of other calls. Kineto reads no parameters. So the
/// runtime fills these two and hands nullptr on for every other call: `const CopyParameters parameters{to, from, bytes,
/// kind}; RuntimeCall call(id, "cudaMemcpy", &parameters);`
using CopyParameters = cudaMemcpy_v3020_params;
using AsyncCopyParameters = cudaMemcpyAsync_v3020_params;

// The reader knows them by place.
static_assert(offsetof(CopyParameters, kind) == 24 && offsetof(AsyncCopyParameters, kind) == 24);

}  // namespace stepgate::emulator
