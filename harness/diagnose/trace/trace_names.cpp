#include "diagnose/trace/trace_names.h"

#include <algorithm>
#include <array>
#include <iterator>

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

constexpr std::string_view waiting_calls[] = {
    "cudaStreamSynchronize",
    "cudaDeviceSynchronize",
    "cudaEventSynchronize",
    "cudaMemcpy",
    "cudaMemcpy2D",
    "cudaFree",
    "cudaFreeHost",
    "cuStreamSynchronize",
    "cuCtxSynchronize",
    "cuEventSynchronize",
    "hipStreamSynchronize",
    "hipDeviceSynchronize",
    "hipEventSynchronize",
    "hipMemcpy",
    "hipFree",
};

bool fits(const PartName& row, std::string_view name) {
  switch (row.match) {
    case Match::whole:
      return name == row.name;
    case Match::start:
      return name.starts_with(row.name);
    case Match::anywhere:
      return name.find(row.name) != name.npos;
  }
  return false;
}

}  // namespace

std::string_view host_part_named(std::string_view name) {
  const auto row = std::find_if(std::begin(part_names), std::end(part_names),
                                [&](const PartName& candidate) { return fits(candidate, name); });
  return row == std::end(part_names) ? "" : row->part;
}

bool is_waiting_call(std::string_view runtime_call) {
  return std::find(std::begin(waiting_calls), std::end(waiting_calls), runtime_call) != std::end(waiting_calls);
}

bool is_exchange(std::string_view kernel) {
  return kernel.find("nccl") != kernel.npos || kernel.find("rccl") != kernel.npos;
}

bool is_pageable_copy(std::string_view copy) { return copy.find("Pageable") != copy.npos; }

bool is_copy_to_pageable(std::string_view copy) { return copy.find("-> Pageable") != copy.npos; }

}  // namespace stepgate
