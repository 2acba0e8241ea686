// The processes that train one case together, as a group for LibTorch's collectives.
#pragma once

#include <torch/torch.h>

#include <chrono>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#include <vector>

#include "stepgate/workload.h"

namespace stepgate {

using RankGroup = c10::intrusive_ptr<c10d::ProcessGroup>;

/// The longest time that a rank waits for the others.
struct RankPatience {
  /// Until all ranks have come, before the first exchange. A process that starts LibTorch and CUDA and reads its data
  /// takes up to a minute on an overloaded machine.
  std::chrono::milliseconds meeting = std::chrono::minutes{2};
  /// In one exchange. Ranks with equal work reach it within milliseconds of each other; on a heavily overloaded machine
  /// it took seconds.
  std::chrono::milliseconds exchange = std::chrono::seconds{30};
};

/// Connects to the other ranks through context.rendezvous. CPU: gloo over the loopback interface, with one worker
/// thread, because a rank has one CPU. GPU: NCCL. Each of context.ranks calls it once per rendezvous. Throws
/// std::runtime_error if the others do not connect within `patience.meeting`, or if this build has no collectives for
/// the device.
RankGroup join_ranks(const CaseContext& context, const RankPatience& patience = {});

/// Throws std::runtime_error naming the first tensor that is not bit-equal to that of rank 0. Each rank calls it with
/// tensors of equal shapes in the same order.
void require_equal_on_ranks(const std::vector<torch::Tensor>& tensors, const RankGroup& group);

/// Starts the sum of each of `tensors` over the ranks. Throws as wait_for_ranks(): on a GPU it is this call that tells
/// of an exchange before, which was aborted.
c10::intrusive_ptr<c10d::Work> start_sum(c10d::ProcessGroup& group, std::vector<torch::Tensor>& tensors);

/// Waits until `work` is done. If a rank ended or hangs, throws a std::runtime_error that says so; the collectives' own
/// message only names a socket.
void wait_for_ranks(c10d::Work& work);

}  // namespace stepgate
