// Operators whose kernels on an emulated GPU are those of a real one, as a trace shows.
#pragma once

#include <string_view>

namespace stepgate {

/// Whether a trace of a real GPU holds calls of the operator that launch LibTorch's own kernels, and the emulated GPU
/// launches as many for the same sizes, strides and arguments (tests/emulator/fidelity). It says nothing of other
/// sizes. `name`: "aten::mul".
bool is_confirmed_operator(std::string_view name);

}  // namespace stepgate
