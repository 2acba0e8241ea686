#include "support/rank_group.h"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <torch/csrc/distributed/c10d/FileStore.hpp>
// Needs gloo's own headers, which LibTorch does not ship. Debian's headers are older than the gloo inside LibTorch.
// That is safe, because this file only passes gloo objects by pointer and so does not depend on their layout.
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

#include "support/nccl_backend.h"

namespace stepgate {
namespace {

constexpr const char* cpu_interface = "lo";

std::string message_of(const std::exception& failure) {
  const auto* torch_failure = dynamic_cast<const c10::Error*>(&failure);  // its what() contains a backtrace
  return torch_failure == nullptr ? failure.what() : torch_failure->what_without_backtrace();
}

[[noreturn]] void refuse(const std::string& what, const std::exception& failure) {
  throw std::runtime_error(what + ": " + message_of(failure));
}

/// The position of a rank among all, which every backend needs.
struct GroupContext {
  c10::intrusive_ptr<c10d::Store> store;
  int rank = 0;
  int ranks = 1;
};

GroupContext group_context_of(const CaseContext& context, std::chrono::milliseconds patience) {
  const auto ranks = static_cast<int>(context.ranks);
  auto store = c10::make_intrusive<c10d::FileStore>(context.rendezvous.string(), ranks);
  store->setTimeout(patience);
  return {store, static_cast<int>(context.rank), ranks};
}

/// NCCL's first collective has no limit of time: it would wait for ever for a rank that never comes.
void meet(const GroupContext& context, std::chrono::milliseconds patience) {
  const auto key_of = [](int rank) { return "stepgate_has_come_" + std::to_string(rank); };
  std::vector<std::string> keys;
  for (int rank = 0; rank < context.ranks; ++rank) keys.push_back(key_of(rank));
  context.store->set(key_of(context.rank), std::vector<std::uint8_t>{1});
  context.store->wait(keys, patience);
}

constexpr const char* failed_exchange = "an exchange with the other ranks failed (did one of them end, or hang?)";

RankGroup gloo_group(const GroupContext& context, std::chrono::milliseconds patience) {
  auto options = c10d::ProcessGroupGloo::Options::create(patience);
  options->threads = 1;
  options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForInterface(cpu_interface));
  const auto group = c10::make_intrusive<c10d::ProcessGroup>(context.store, context.rank, context.ranks);
  group->setBackend(c10::DeviceType::CPU, c10d::ProcessGroup::BackendType::GLOO,
                    c10::make_intrusive<c10d::ProcessGroupGloo>(context.store, context.rank, context.ranks, options));
  group->setDefaultBackend(c10d::ProcessGroup::BackendType::GLOO);
  return group;
}

template <typename Start>
c10::intrusive_ptr<c10d::Work> started(Start start) {
  try {
    return start();
  } catch (const std::exception& failure) {
    refuse(failed_exchange, failure);
  }
}

RankGroup nccl_group(const GroupContext& context, std::chrono::milliseconds patience) {
  const auto group = c10::make_intrusive<c10d::ProcessGroup>(context.store, context.rank, context.ranks);
  group->setBackend(c10::DeviceType::CUDA, c10d::ProcessGroup::BackendType::NCCL,
                    make_nccl_backend({context.store, context.rank, context.ranks, patience}));
  group->setDefaultBackend(c10d::ProcessGroup::BackendType::NCCL);
  return group;
}

}  // namespace

RankGroup join_ranks(const CaseContext& context, const RankPatience& patience) {
  try {
    const GroupContext group = group_context_of(context, patience.meeting);
    meet(group, patience.meeting);
    return context.device.is_cuda() ? nccl_group(group, patience.exchange) : gloo_group(group, patience.exchange);
  } catch (const std::exception& failure) {
    refuse("rank " + std::to_string(context.rank) + " could not meet the other " + std::to_string(context.ranks - 1),
           failure);
  }
}

c10::intrusive_ptr<c10d::Work> start_sum(c10d::ProcessGroup& group, std::vector<torch::Tensor>& tensors) {
  return started([&] { return group.allreduce(tensors); });
}

void require_equal_on_ranks(const std::vector<torch::Tensor>& tensors, const RankGroup& group) {
  const torch::NoGradGuard no_grad;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    std::vector<torch::Tensor> first = {tensors[i].detach().clone()};
    wait_for_ranks(*started([&] { return group->broadcast(first); }));
    // Compared on the host: what a device would compute, an emulated one does not.
    if (torch::equal(first.front().cpu(), tensors[i].cpu())) continue;
    throw std::runtime_error("the ranks start from different weights: parameter " + std::to_string(i) + " of rank " +
                             std::to_string(group->getRank()) +
                             " is not that of rank 0; draw the weights from context.seed, which is equal on all ranks");
  }
}

void wait_for_ranks(c10d::Work& work) {
  try {
    work.wait();
  } catch (const std::exception& failure) {
    refuse(failed_exchange, failure);
  }
}

}  // namespace stepgate
