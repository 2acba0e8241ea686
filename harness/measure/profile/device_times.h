// What the device took for each operator of the traced steps: kernels, copies and memsets, told by what led to them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/record/profile_run.h"

namespace stepgate {

/// One event of LibTorch's profiler.
struct TracedEvent {
  std::string name;
  bool on_device = false;    ///< a kernel, a copy or a memset; else an operator, or a range of the program
  bool is_range = false;     ///< a step or a boundary
  std::uint64_t thread = 0;  ///< of the host
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
  std::uint64_t id = 0;                               ///< on the device: of the operator that led to it, 0 if unknown
  std::vector<std::vector<std::int64_t>> sizes = {};  ///< of the tensor operands of an operator
};

/// Operators ("aten::mm", no nodes of autograd) with equal boundary, name and sizes join. An operator that led to no
/// work of the device is there with 0 ns. Empty where no event of the device names an operator: the profiler may have
/// got no kernels (CUPTI needs privileges). `boundaries`: names of the ranges that tell the boundary of an operator;
/// operators outside of all of them are left out.
std::vector<DeviceTime> device_times(const std::vector<TracedEvent>& events,
                                     const std::vector<std::string>& boundaries);

}  // namespace stepgate
