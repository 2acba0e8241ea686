// Whose a kernel is: one of LibTorch and the program, or one of NVIDIA's libraries. Read from its name.
#pragma once

#include <string>
#include <string_view>

namespace stepgate {

/// How many kernels are LibTorch's own follows from shapes, dtypes, layout and properties of the device. A library
/// splits a product or a convolution as it likes.
enum class KernelOrigin { own, library };

struct KernelKind {
  KernelOrigin origin = KernelOrigin::own;
  /// "elementwise", "reduction", "layer_norm"; the function's name for a kernel without a row; "cublas" for a
  /// library's.
  std::string family;

  bool operator==(const KernelKind&) const = default;
};

/// `name`: demangled, as CUPTI's records and traces have it, or one of an emulated library. A kernel that no row knows
/// is an own one: the program's code, and what LibTorch links into itself.
KernelKind kind_of_kernel(std::string_view name);

}  // namespace stepgate
