// Which operator of LibTorch made a call, read from the names on the stack. It costs nothing before somebody asks.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace stepgate::emulator {

/// The innermost operator among demangled names of functions, innermost first: "fft_r2c" of
/// "at::_ops::fft_r2c::call(...)". "" where there is none.
std::string operator_among(const std::vector<std::string>& functions);

/// Looks each place of the program up once: a library has 100 000 names. Calls come one at a time.
class OperatorFinder {
 public:
  /// Of this thread's stack: the innermost one.
  std::string calling();
  /// The innermost one that `is_wanted` takes; "" where there is none.
  std::string calling(const std::function<bool(std::string_view name)>& is_wanted);

 private:
  std::unordered_map<void*, std::string> operators_;  ///< by return address; "" where none is
};

}  // namespace stepgate::emulator
