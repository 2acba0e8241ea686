// The processes that train one case together, as LibTorch's collectives see them.
#pragma once

#include <torch/torch.h>

#include <chrono>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>

#include "stepgate/workload.h"

namespace stepgate {

using RankGroup = c10::intrusive_ptr<c10d::ProcessGroup>;

/// How long a rank waits for the others in one exchange. Ranks that do equal work reach it within milliseconds of each
/// other; on a machine with many times more work than cores, seconds were seen.
inline constexpr std::chrono::seconds exchange_patience{30};

/// Meets the other ranks at context.rendezvous: gloo over the loopback interface on a CPU, with one worker thread,
/// since a rank has one CPU; NCCL on GPUs. Each of context.ranks calls it once for each rendezvous. Throws
/// std::runtime_error where the others do not come within `patience`, or where this build has no collectives for the
/// device.
RankGroup join_ranks(const CaseContext& context, std::chrono::milliseconds patience = exchange_patience);

/// Throws std::runtime_error naming the first that differs where a tensor is not the same, bit by bit, as on rank 0.
/// Each rank calls it with tensors of equal shapes in the same order.
void require_equal_on_ranks(const std::vector<torch::Tensor>& tensors, const RankGroup& group);

/// Waits until `work` is done. Throws std::runtime_error saying what that means where a rank ended or hangs: the
/// collectives' own message names a socket.
void wait_for_ranks(c10d::Work& work);

}  // namespace stepgate
