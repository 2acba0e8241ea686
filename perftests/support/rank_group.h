// The processes that train one case together, as a group for LibTorch's collectives.
#pragma once

#include <torch/torch.h>

#include <chrono>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>

#include "stepgate/workload.h"

namespace stepgate {

using RankGroup = c10::intrusive_ptr<c10d::ProcessGroup>;

/// The longest time that a rank waits for the others in one exchange. Ranks with equal work reach it within
/// milliseconds of each other; on a heavily overloaded machine it took seconds.
inline constexpr std::chrono::seconds exchange_patience{30};

/// Connects to the other ranks through context.rendezvous. CPU: gloo over the loopback interface, with one worker
/// thread, because a rank has one CPU. GPU: NCCL. Each of context.ranks calls it once per rendezvous. Throws
/// std::runtime_error if the others do not connect within `patience`, or if this build has no collectives for the
/// device.
RankGroup join_ranks(const CaseContext& context, std::chrono::milliseconds patience = exchange_patience);

/// Throws std::runtime_error naming the first tensor that is not bit-equal to that of rank 0. Each rank calls it with
/// tensors of equal shapes in the same order.
void require_equal_on_ranks(const std::vector<torch::Tensor>& tensors, const RankGroup& group);

/// Waits until `work` is done. If a rank ended or hangs, throws a std::runtime_error that says so; the collectives' own
/// message only names a socket.
void wait_for_ranks(c10d::Work& work);

}  // namespace stepgate
