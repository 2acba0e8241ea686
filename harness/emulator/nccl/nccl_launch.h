// Gives the machine the work of collectives, as kernels that meet those of the other ranks.
#pragma once

#include <nccl.h>

#include <vector>

#include "emulator/model/outcome.h"
#include "emulator/nccl/nccl_groups.h"

namespace stepgate::emulator {

ncclResult_t nccl_result_of(NcclEnd end);
ncclResult_t nccl_result_of(Outcome outcome);
/// Own words.
const char* text_of_nccl_result(ncclResult_t result);

/// Now, or at the end of the thread's open group.
ncclResult_t launch(NcclWork work);
/// At the end of a group.
ncclResult_t launch_all(std::vector<NcclWork> all);

}  // namespace stepgate::emulator
