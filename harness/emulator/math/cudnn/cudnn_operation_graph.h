// Which kernel an execution plan of cuDNN's backend interface is: its name, by operations and shapes, and its cost.
#pragma once

#include <span>

#include "emulator/math/cudnn/cudnn_backend_store.h"
#include "emulator/math/cudnn/cudnn_work.h"

namespace stepgate::emulator {

/// `types` gives the types of elements by the library's numbers; another number has no name and no bytes.
CudnnTensor tensor_of(const BackendData& tensor, std::span<const CudnnTypeRow> types);

/// Of a finalized plan. A graph is one kernel: "cudnn ConvolutionForward x[..] w[..] y[..] ... half +Pointwise*2",
/// "cudnn AttentionForward [..] [..] ... half", "cudnn graph Matmul+Pointwise [..] ... float".
CudnnWork work_of_plan(const BackendData& plan, std::span<const CudnnTypeRow> types);

}  // namespace stepgate::emulator
