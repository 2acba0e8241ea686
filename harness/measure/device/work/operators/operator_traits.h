// What the schema and the kernels of an operator tell about all of its calls.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "measure/device/work/operators/flop_formulas.h"
#include "measure/device/work/operators/wait_rule.h"

namespace c10 {
class OperatorHandle;
}  // namespace c10

namespace stepgate {

/// An argument of the schema.
struct ArgumentTraits {
  bool has_tensors = false;  ///< a tensor, or a list of them
  bool is_dtype = false;     ///< LibTorch passes it as a number
  /// How often each byte of its tensors moves: 1 if it is read or overwritten, 2 if it is updated in place.
  int moves = 1;
};

struct OperatorTraits {
  std::string name;
  std::vector<ArgumentTraits> arguments;
  std::vector<bool> new_results;  ///< per result: it is not an alias of an argument
  const FlopFormula* formula = nullptr;
  WaitRule wait = WaitRule::never;
  bool counts_no_flops = false;
  bool copies = false;            ///< aten::copy_
  bool moves_nothing = false;     ///< a view, an allocation, a question about a tensor
  bool gathers = false;           ///< it reads as much of its first operand as it writes
  bool changes_in_place = false;  ///< an argument is a result as well, and not only another view of it
  bool calls_user_code = false;   ///< not one of LibTorch's own: user code may lie between it and what it calls
  bool has_cpu_kernel = false;    ///< its own, rather than one composed of other operators
  bool has_cuda_kernel = false;
};

OperatorTraits traits_of(const c10::OperatorHandle& op);

}  // namespace stepgate
