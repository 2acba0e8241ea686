// Which operators make the host wait for the device, on a run without one too.
#pragma once

#include <ATen/core/ivalue.h>

#include <string_view>

#include "measure/device/work/operators/wait_rule.h"

namespace c10 {
class OperatorHandle;
}  // namespace c10

namespace stepgate {

/// By the tags of the schema, data_dependent_output and dynamic_output_shape, and by a short list of names.
WaitRule wait_rule_of(const c10::OperatorHandle& op);

/// One call, as LibTorch's callback has it.
struct WaitQuestion {
  std::string_view name;  ///< of the operator
  WaitRule rule = WaitRule::never;
  c10::ArrayRef<const c10::IValue> inputs;
  bool can_unwind = false;  ///< the stack can be read, which tells printing
  bool of_library =
      false;  ///< an operator of LibTorch made the call: toType(own dtype) of log_softmax looks like cpu()
};

inline constexpr std::string_view printing = "at::print";

/// The name of what would wait: the operator's, `printing`, or "" where the call would not wait.
std::string_view waiting_name(const WaitQuestion& call);

}  // namespace stepgate
