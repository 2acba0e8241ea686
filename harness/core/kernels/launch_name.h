// How records and baselines name the kernels of LibTorch and the calls of a library: by the operator that made them.
#pragma once

#include <string>
#include <string_view>

namespace stepgate {

/// Kernels of LibTorch and of the program. WorkCounts::device_calls has under this name own_kernel_name() -> kernels.
inline constexpr std::string_view own_kernels_metric = "own_kernels_per_step";
/// Operator calls in which a library launched kernels. WorkCounts::device_calls has under this name library_call_name()
/// -> calls: all that a library is asked for, and nothing of how it answers.
inline constexpr std::string_view library_calls_metric = "library_calls_per_step";

/// Stands for the operator of a kernel that none launched, for example a collective that begins later.
inline constexpr std::string_view outside_operators = "code outside of operators";

/// "elementwise of aten::mul". `family`: KernelKind::family.
std::string own_kernel_name(std::string_view family, std::string_view op);
/// "aten::mm(float32[8, 64], float32[64, 4])".
std::string library_call_name(std::string_view op, std::string_view operands);

/// The name by which a calibration (core/stored/library_calibration.h) knows a library call: without arguments that are
/// None, because a trace does not tell an absent tensor from an absent number.
/// "aten::conv(float32[8, 4], None, [1, 1])" -> "aten::conv(float32[8, 4], [1, 1])".
std::string calibration_key(std::string_view library_call);

/// The operator in either name; "" where there is none.
std::string_view operator_of_launch(std::string_view name);

}  // namespace stepgate
