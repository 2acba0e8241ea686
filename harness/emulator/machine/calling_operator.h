// Which operator of LibTorch made a call, read from the names on the stack. It costs nothing before a call is refused.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stepgate::emulator {

/// The innermost operator among demangled names of functions, innermost first: "fft_r2c" of
/// "at::_ops::fft_r2c::call(...)".
/// "" where there is none.
std::string operator_among(const std::vector<std::string>& functions);

/// Of this thread's stack.
std::string calling_operator();

}  // namespace stepgate::emulator
