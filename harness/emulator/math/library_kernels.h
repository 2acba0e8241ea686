// Kernels of the math libraries. A call of a library is one kernel here, launched through the runtime as the libraries
// do, so that observers hear of the launch.
#pragma once

#include <library_types.h>

#include <string>
#include <string_view>

#include "emulator/math/math_handle.h"
#include "emulator/math/math_products.h"
#include "emulator/model/outcome.h"
#include "emulator/work/operation.h"

namespace stepgate::emulator {

/// Own choice: the threads of a block of each library's kernel.
inline constexpr unsigned library_block_threads = 256;

struct LibraryKernel {
  std::string name;  ///< with its shape
  double flops = 0;
  double bytes = 0;
  Extent grid = {};
  bool is_extended = false;  ///< launched by cudaLaunchKernelExC, as cuDNN does
  /// What it writes is the library's own and no value of a tensor, so it needs no operator with values around it.
  bool is_private = false;
  Effect effect = {};  ///< integers that host code reads later
};

/// In values mode the process ends where nothing would write what the kernel writes.
Outcome submit_library_kernel(StreamHandle stream, LibraryKernel kernel);

/// `effect`: integers that host code reads later, such as the info of a factorisation. An empty product has no kernel.
Outcome submit_product(StreamHandle stream, const MathProduct& product, Effect effect = {});

/// `function`: for the text of the refusal of a type that no product here has.
MathType math_type_of(cudaDataType type, std::string_view function);

/// Writes success into `count` integers of the device: what a factorisation tells of each matrix.
Effect zeros(int* at, std::int64_t count);
/// Pivots that swap no rows: 1 to `rows` for each of `batch` matrices.
Effect rows_in_order(int* at, std::int64_t rows, std::int64_t batch);
Effect both(Effect first, Effect second);

template <typename Stream>
StreamHandle stream_handle_of(Stream stream) {
  return static_cast<StreamHandle>(reinterpret_cast<std::uintptr_t>(stream));
}

}  // namespace stepgate::emulator
