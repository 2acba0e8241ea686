#include "diagnose/trace/trace_names.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>

namespace stepgate {
namespace {

enum class Match { whole, start, anywhere };

struct PartName {
  std::string_view name;
  Match match;
  std::string_view part;
};

/// The first that fits counts.
constexpr PartName part_names[] = {
    {"enumerate(DataLoader)", Match::start, "data-wait"},
    {"enumerate(DataPipe)", Match::start, "data-wait"},
    {"data_wait", Match::whole, "data-wait"},
    {"train_dataloader_next", Match::anywhere, "data-wait"},
    {"h2d", Match::whole, "h2d"},
    {"forward", Match::whole, "forward"},
    {"## forward ##", Match::whole, "forward"},
    {"DistributedDataParallel.forward", Match::start, "forward"},
    {"backward", Match::whole, "backward"},
    {"## backward ##", Match::whole, "backward"},
    {"autograd::engine::evaluate_function", Match::start, "backward"},
    {"optimizer", Match::whole, "optimizer"},
    {"## optimizer ##", Match::whole, "optimizer"},
    {"Optimizer.step#", Match::start, "optimizer"},
    {"Optimizer.zero_grad#", Match::start, "optimizer"},
    {"logging", Match::whole, "logging"},
};

struct WaitName {
  std::string_view name;
  Match match;
};

/// CUDA, HIP, Level Zero, CANN and their kin say Synchronize; a suffix such as _ptsz names the default stream.
constexpr WaitName waiting_calls[] = {
    {"Synchronize", Match::anywhere},  {"cudaMemcpy", Match::whole},
    {"cudaMemcpy_ptds", Match::whole}, {"cudaMemcpy2D", Match::whole},
    {"cudaFree", Match::whole},        {"cudaFreeHost", Match::whole},
    {"hipMemcpy", Match::whole},       {"hipMemcpyWithStream", Match::whole},
    {"hipFree", Match::whole},         {"urEventWait", Match::whole},
    {"urQueueFinish", Match::whole},   {"piEventsWait", Match::whole},
    {"piQueueFinish", Match::whole},
};

/// In small letters. What exchanges data between devices has one of these in its name: libraries, and the kernels of
/// PyTorch's symmetric memory, vLLM, SGLang, TensorRT-LLM and Transformer Engine.
constexpr std::string_view exchange_words[] = {
    "nccl",       "rccl",      "oneccl",      "nvshmem",     "mscclpp",        "cross_device_reduce",
    "all_reduce", "allreduce", "all_gather",  "allgather",   "reduce_scatter", "reducescatter",
    "all_to_all", "alltoall",  "quickreduce", "userbuffers", "deep_ep",        "sendrecv",
};

/// Inductor names a kernel after the operators that it replaces, and after those that it only waited for.
bool is_fused_by_inductor(std::string_view kernel) {
  return kernel.starts_with("triton_") && kernel.find("_fused") != kernel.npos;
}

std::string in_small_letters(std::string_view text) {
  std::string small(text);
  for (char& letter : small) {
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  }
  return small;
}

bool matches(std::string_view name, std::string_view pattern, Match match) {
  switch (match) {
    case Match::whole:
      return name == pattern;
    case Match::start:
      return name.starts_with(pattern);
    case Match::anywhere:
      return name.find(pattern) != name.npos;
  }
  return false;
}

}  // namespace

std::string_view host_part_named(std::string_view name) {
  const auto row = std::find_if(std::begin(part_names), std::end(part_names), [&](const PartName& candidate) {
    return matches(name, candidate.name, candidate.match);
  });
  return row == std::end(part_names) ? "" : row->part;
}

bool is_waiting_call(std::string_view runtime_call) {
  return std::any_of(std::begin(waiting_calls), std::end(waiting_calls),
                     [&](const WaitName& row) { return matches(runtime_call, row.name, row.match); });
}

bool is_exchange(std::string_view kernel) {
  if (is_fused_by_inductor(kernel)) return false;
  const std::string small = in_small_letters(kernel);
  return std::any_of(std::begin(exchange_words), std::end(exchange_words),
                     [&](std::string_view word) { return small.find(word) != small.npos; });
}

bool is_pageable_copy(std::string_view copy) { return copy.find("Pageable") != copy.npos; }

bool is_copy_to_pageable(std::string_view copy) { return copy.find("-> Pageable") != copy.npos; }

}  // namespace stepgate
