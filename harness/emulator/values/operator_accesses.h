// What one call of an operator reads and writes, as its schema says.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>

#include "emulator/work/memory_access.h"

namespace stepgate::emulator {

/// Filled from the arguments before the operator runs, because it may take them, and from the results afterwards.
class OperatorAccesses {
 public:
  OperatorAccesses(const c10::OperatorHandle& op, c10::ArrayRef<c10::IValue> arguments);
  void add_results(c10::ArrayRef<c10::IValue> results);

  /// By its kernels.
  const MemoryAccesses& on_device() const { return on_device_; }
  /// By the host: empty where a tensor is on a device, or where the operator only looks at sizes or makes a view.
  MemoryAccesses on_host() const;
  /// A tensor of a device is among its arguments or results.
  bool has_device_tensor() const { return has_device_tensor_; }

 private:
  void add(const c10::IValue& value, bool writes);
  void add(const at::Tensor& tensor, bool writes);

  const c10::OperatorHandle& op_;
  MemoryAccesses on_device_;
  MemoryAccesses on_host_;
  bool has_device_tensor_ = false;
};

}  // namespace stepgate::emulator
