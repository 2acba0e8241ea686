// Launched kernels by whose they are, and by the operator that launched them.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "core/kernels/kernel_origin.h"
#include "measure/device/work/operators/flop_formulas.h"

namespace stepgate {

/// By the names of core/kernels/launch_name.h.
struct LaunchTotals {
  std::map<std::string, std::int64_t> own_kernels = {};    ///< kernels
  std::map<std::string, std::int64_t> library_calls = {};  ///< calls of operators in which a library launched some
  std::int64_t unnamed_kernels = 0;                        ///< in neither of them
};

/// The operator that launches a kernel.
struct LaunchingCall {
  std::string_view op;
  const OperatorCall* operands = nullptr;  ///< nullptr: they are not known
  bool& called_library;                    ///< a library has launched a kernel in it before; set by note()
};

class NotedLaunches {
 public:
  /// `kernel`: mangled, or as it is where it is not mangled; "" for an unknown one. An operator in which a library
  /// launches several kernels is one call of it.
  void note(std::string_view kernel, const LaunchingCall& call);
  /// Outside of operators each kernel of a library is one call.
  void note(std::string_view kernel);
  const LaunchTotals& totals() const { return totals_; }

 private:
  const KernelKind& kind_of(std::string_view kernel);

  LaunchTotals totals_;
  std::map<std::string, KernelKind, std::less<>> kinds_;  ///< by name: each is looked at once
};

}  // namespace stepgate
